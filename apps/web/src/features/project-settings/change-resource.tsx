import type { ListedResource } from '@svc/contracts/listed-resource'
import type { Project } from '@svc/contracts/project'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { changesFrom } from '../../data/changes.ts'
import { useDraftForm } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { visible } from '../../words/visible.ts'
import { ResourceFields } from './resource-fields.tsx'
import { formOf, requestOf } from './resource-form.ts'
import { problemsIn } from './use-preview.ts'
import { useKeepResource } from './use-keep-resource.ts'

interface ChangeResourceProps {
  project: Project
  resource: ListedResource
  onClose: () => void
}

export function ChangeResource({ project, resource, onClose }: ChangeResourceProps) {
  const { drafts } = useWorkspace()
  const draft = `resource:${project.id}:${resource.resourceKey}`
  // what others change meanwhile of what is left alone here stays as they left it
  const [before] = useState(() => formOf(resource))
  const [form, write] = useDraftForm(draft, () => before)
  const keep = useKeepResource(project.id)
  const change = useAction('linkProjectResource', {
    draft,
    onDone: (answer) => {
      keep(answer.resource)
      toast('Saved')
      onClose()
    },
  })
  const leave = () => {
    drafts.drop(draft)
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const changed = { ...formOf(resource), ...changesFrom(before, form) }
    void change.send(requestOf(project.id, changed))
  }
  return (
    <Dialog title={`Change ${visible(resource.resourceKey)}`} onClose={onClose} isSheet>
      <form noValidate onSubmit={submit}>
        <ResourceFields
          form={form}
          defaultBranch={project.defaultBranch}
          isThere
          problems={problemsIn(change.state.name === 'refused' ? change.state.error : undefined)}
          change={write}
        />
        <ActionProblem of={change} />
        <DialogActions>
          <Button onClick={leave}>Discard</Button>
          <Button look="first" type="submit" disabled={change.state.name === 'sending'}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
