import type { Runner } from '@svc/contracts/runner'
import { useWorkspace } from '../../data/use-workspace.ts'
import { CallerChoice } from '../../parts/first-run/caller-choice.tsx'
import { runnerCommand } from '../../parts/first-run/commands.ts'
import { NoAgent } from '../../parts/first-run/no-agent.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { lacksAgent } from '../../words/runners.ts'
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
  const ready = came.filter((one) => !lacksAgent(one))
  const isReady = ready.length > 0
  return (
    <Dialog title="Add a runner" onClose={onClose}>
      <p>
        A runner starts agents on a machine of yours. Run this there: it shows a code to approve
        here, and then takes launches until Ctrl-C.
      </p>
      <CallerChoice />
      <CopyCommand command={runnerCommand({ service: location.origin, workspace: slug })} />
      <p className={styles['waiting']} role="status">
        {came.length === 0 && 'Waiting for the runner. It appears here by itself.'}
        {isReady && (
          <>
            <Icon name="check" /> <Text>{namesOf(ready)}</Text> is here.
          </>
        )}
        {!isReady && came.length > 0 && (
          <>
            <Text>{namesOf(came)}</Text> is here, and is not ready yet.
          </>
        )}
      </p>
      {!isReady && came.length > 0 && <NoAgent />}
      {isReady && <LinkRepository />}
      <DialogActions>
        <Button look={isReady ? 'first' : 'second'} onClick={onClose}>
          {isReady ? 'Done' : 'Close'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function namesOf(runners: readonly Pick<Runner, 'label'>[]): string {
  return runners.map(({ label }) => label).join(', ')
}
