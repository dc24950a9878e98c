import type { ListedResource } from '@svc/contracts/listed-resource'
import type { Project } from '@svc/contracts/project'
import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { visible } from '../../words/visible.ts'

interface RemoveResourceProps {
  project: Project
  resource: ListedResource
  onClose: () => void
}

export function RemoveResource({ project, resource, onClose }: RemoveResourceProps) {
  const { queries } = useWorkspace()
  const key = visible(resource.resourceKey)
  const remove = useAction('unlinkProjectResource', {
    onDone: () => {
      toast(`${key} is no resource of the project any more`)
      void queries.invalidateQueries({ queryKey: ['listProjectResources'] })
      onClose()
    },
  })
  return (
    <Dialog title={`Remove ${key}`} onClose={onClose}>
      <p>
        No run is started in it from then on, whatever runner has it. Nothing is deleted on any
        machine, and what missions left in it stays recorded, should it be added again.
      </p>
      <ActionProblem of={remove} />
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button
          look="danger"
          disabled={remove.state.name === 'sending'}
          onClick={() => void remove.send({ id: project.id, key: resource.resourceKey })}
        >
          Remove the resource
        </Button>
      </DialogActions>
    </Dialog>
  )
}
