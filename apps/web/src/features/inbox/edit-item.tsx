import type { InboxItem } from '@svc/contracts/inbox-item'
import { type FormEvent, useRef } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { Conflict } from '../../parts/conflict/conflict.tsx'
import { useEdited, useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
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
  useRereadOnMismatch(update, {
    revision: item.revision,
    isInConflict: edited.theirs !== undefined,
    send: () => send(edited.expectedRevision),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (edited.theirs === undefined) send(edited.expectedRevision)
  }
  const element = useRef<HTMLFormElement>(null)
  useKeys([{ keys: 'Mod+Enter', run: () => element.current?.requestSubmit() }])
  return (
    <Dialog title="Edit the item" onClose={onClose}>
      <form ref={element} onSubmit={submit}>
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
        {edited.theirs ? (
          <Conflict
            theirs={{ ...edited.theirs, text: describeForm(formOf(item)) }}
            mine={describeForm(form)}
            onKeep={() => send(edited.keepMine())}
            onTake={leave}
          />
        ) : (
          <ActionProblem of={update} />
        )}
        <DialogActions>
          <Button onClick={leave}>Discard</Button>
          <Button
            look="first"
            type="submit"
            disabled={update.state.name === 'sending' || edited.theirs !== undefined}
          >
            Save <Kbd>Ctrl ↵</Kbd>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
