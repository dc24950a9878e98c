import type { InboxItem } from '@svc/contracts/inbox-item'
import { useRef } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { EditedForm } from '../../parts/conflict/edited-form.tsx'
import { useEdited } from '../../parts/conflict/use-edited.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Area, Field } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { toast } from '../../ui/toast-store.ts'
import { changesOf, describeForm, formOf, readForm, writeForm } from './edit-form.ts'
import { item as one } from './reads.ts'

/** Title and text. What is written in another window meanwhile is shown next to what is written here. */
export function EditItem({ item: before, onClose }: { item: InboxItem; onClose: () => void }) {
  const item = useRead(one, { id: before.id }).data?.inboxItem ?? before
  const draft = `inbox-item:${item.id}`
  const edited = useEdited(draft, { revision: item.revision, text: writeForm(formOf(item)) })
  const form = readForm(edited.text)
  const update = useAction('updateInboxItem', {
    draft,
    onDone: () => {
      toast('Saved')
      onClose()
    },
  })
  const write = (more: Partial<typeof form>) => edited.write(writeForm({ ...form, ...more }))
  const leave = () => {
    edited.leave()
    onClose()
  }
  const send = (expectedRevision: number) => {
    const changes = changesOf(item, form)
    if (Object.keys(changes).length === 0) return leave()
    void update.send({ id: item.id, expectedRevision, ...changes })
  }
  const element = useRef<HTMLFormElement>(null)
  useKeys([{ keys: 'Mod+Enter', run: () => element.current?.requestSubmit() }])
  return (
    <Dialog title="Edit the item" onClose={onClose}>
      <EditedForm
        ref={element}
        edited={edited}
        action={update}
        revision={item.revision}
        send={send}
        onLeave={leave}
        describe={(text) => describeForm(readForm(text))}
        save={
          <>
            Save <Kbd>Ctrl ↵</Kbd>
          </>
        }
      >
        <Field
          label="Title"
          required
          maxLength={limits.titleCharacters}
          value={form.title}
          onChange={(event) => write({ title: event.target.value })}
        />
        <Area
          label="Text"
          hint="In Markdown."
          rows={6}
          maxLength={limits.inboxTextCharacters}
          value={form.text}
          onChange={(event) => write({ text: event.target.value })}
        />
      </EditedForm>
    </Dialog>
  )
}
