import { z } from 'zod'
import { freeText } from './free-text.ts'
import { Revision, Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { Title } from './objective.ts'

/** A task noted down for later: of one account, in no project, given to nobody. */
export const InboxItem = z.strictObject({
  id: Uuid,
  title: z.string(),
  text: z.string().nullable(),
  /** What it was turned into, where the caller may see that. */
  mission: z.strictObject({ id: Uuid, displayId: z.string() }).nullable(),
  revision: Revision,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  doneAt: Timestamp.nullable(),
})
export type InboxItem = z.infer<typeof InboxItem>

const InboxText = freeText().max(limits.inboxTextCharacters)

export const InboxItemInput = z.strictObject({ title: Title, text: InboxText.optional() })

/** null clears the text. */
export const inboxItemChanges = {
  title: Title.optional(),
  text: InboxText.nullable().optional(),
  done: z.boolean().optional(),
}
