import type { Runner } from '@svc/contracts/runner'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { runners } from '../../parts/runner/reads.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { nameOfRunner } from '../../words/runners.ts'
import { visible } from '../../words/visible.ts'

/** It takes nothing from then on, and its checkouts count no more. */
export function RemoveRunner({ of, onClose }: { of: Runner; onClose: () => void }) {
  const { queries } = useWorkspace()
  const known = useRead(runners, {}).data?.runners ?? []
  const remove = useAction('removeRunner', {
    onDone: () => {
      toast(`${of.label} is removed`)
      onClose()
      document.getElementById('main')?.focus()
      void queries.invalidateQueries({ queryKey: ['listRunners'] })
    },
  })
  return (
    <Dialog title={`Remove ${visible(nameOfRunner(of, known))}`} onClose={onClose}>
      <p>
        It takes no launch from then on, and its checkouts count no more. Nothing on its machine is
        deleted. To use the machine again, its runner home is deleted there, and the runner is
        started anew.
      </p>
      {of.state === 'connected' && <p>It is here now: stop it on its machine, too, with Ctrl-C.</p>}
      <ActionProblem of={remove} />
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button
          look="danger"
          disabled={remove.state.name === 'sending'}
          onClick={() => void remove.send({ id: of.id })}
        >
          Remove the runner
        </Button>
      </DialogActions>
    </Dialog>
  )
}
