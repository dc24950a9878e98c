import { slugOf } from '@svc/contracts/slug'
import type { FormEvent } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useDraft } from '../../data/use-draft.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { readNewWorkspace, writeNewWorkspace } from './forms.ts'

const draft = 'workspace'
const longestSlug = 40

/** Whoever makes it owns it, and goes there. */
export function CreateWorkspace({ onClose }: { onClose: () => void }) {
  const [text, setText] = useDraft(draft, '')
  const form = readNewWorkspace(text)
  const slug = form.slug ?? slugOf(form.name, longestSlug)
  const create = useAction('createWorkspace', {
    draft,
    onDone: ({ workspace }) => location.assign(`/w/${workspace.slug}`),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create.send({ name: form.name.trim(), slug: slug.trim() })
  }
  return (
    <Dialog title="New workspace" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Name"
          required
          maxLength={limits.titleCharacters}
          value={form.name}
          onChange={(event) => setText(writeNewWorkspace({ ...form, name: event.target.value }))}
        />
        <Field
          label="Part of its address"
          required
          autoComplete="off"
          spellCheck={false}
          value={slug}
          hint="1 to 40 of a-z, 0-9 and dashes between them. It stays as it is from then on."
          onChange={(event) => setText(writeNewWorkspace({ ...form, slug: event.target.value }))}
        />
        <ActionProblem of={create} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={create.state.name === 'sending'}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
