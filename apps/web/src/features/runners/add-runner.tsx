import type { Runner } from '@svc/contracts/runner'
import { useWorkspace } from '../../data/use-workspace.ts'
import { CallerChoice } from '../../parts/first-run/caller-choice.tsx'
import { runnerCommand } from '../../parts/first-run/commands.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { LinkRepository } from './on-its-machine.tsx'
import styles from './runners.module.css'
import { cameSince } from './sorted.ts'

interface AddProps {
  /** Those that were here when it was opened. */
  before: ReadonlySet<string>
  shown: readonly Runner[]
  onClose: () => void
}

/** A command for the machine, which then waits for its runner to appear. */
export function AddRunner({ before, shown, onClose }: AddProps) {
  const { slug } = useWorkspace()
  const came = cameSince(before, shown)
  return (
    <Dialog title="Add a runner" onClose={onClose}>
      <p>
        A runner starts agents on a machine of yours. Run this there: it shows a code to approve
        here, and then takes launches until Ctrl-C.
      </p>
      <CallerChoice />
      <CopyCommand command={runnerCommand({ service: location.origin, workspace: slug })} />
      <p className={styles['waiting']} role="status">
        {came.length === 0 ? (
          'Waiting for the runner. It appears here by itself.'
        ) : (
          <>
            <Icon name="check" /> <Text>{came.join(', ')}</Text> is here.
          </>
        )}
      </p>
      {came.length > 0 && <LinkRepository />}
      <DialogActions>
        <Button look={came.length > 0 ? 'first' : 'second'} onClick={onClose}>
          {came.length > 0 ? 'Done' : 'Close'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
