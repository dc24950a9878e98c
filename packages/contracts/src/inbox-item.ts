import { z } from 'zod'
import { freeText } from './free-text.ts'
import { Revision, Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { Title } from './objective.ts'

/** By what an account did something: a person in a browser, a program with a token, or an agent by a tool of MCP. */
export const InboxMeans = z.strictObject({
  source: z.enum(['web', 'api', 'mcp']),
  /** What the token is called; null in a browser. */
  tokenLabel: z.string().nullable(),
})
export type InboxMeans = z.infer<typeof InboxMeans>

/** A task noted down for later: of one account, in no project, given to nobody. */
export const InboxItem = z.strictObject({
  id: Uuid,
  title: z.string(),
  text: z.string().nullable(),
  /** What it was turned into, where the caller may see that. */
  mission: z.strictObject({ id: Uuid, displayId: z.string() }).nullable(),
  /** That it was turned into a mission, also where that is not there any more, or not the caller's to see. */
  turned: z.strictObject({ at: Timestamp, by: InboxMeans.nullable() }).nullable(),
  /** null, as in `turned`: it was done before this was kept. */
  notedBy: InboxMeans.nullable(),
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
