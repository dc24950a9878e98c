import type { FormEvent } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'

const draft = 'project'
const branchDraft = 'project-branch'

export function CreateProject({ onClose }: { onClose: () => void }) {
  const [name, setName] = useDraft(draft, '')
  const { drafts } = useWorkspace()
  const [branch, setBranch] = useDraft(branchDraft, 'main')
  const create = useAction('createProject', {
    draft,
    onDone: ({ project }) => {
      drafts.drop(branchDraft)
      toast(`${project.name} is made`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create.send({ name, defaultBranch: branch })
  }
  return (
    <Dialog title="New project" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Name"
          required
          maxLength={limits.titleCharacters}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Default branch"
          required
          hint="What branches of its missions are cut from."
          value={branch}
          onChange={(event) => setBranch(event.target.value)}
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
