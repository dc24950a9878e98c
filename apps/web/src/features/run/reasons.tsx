import type { AdvisedStep } from '@svc/contracts/advised-step'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { isLive } from '../../data/states.ts'
import { StepLink } from '../../shell/step-link.tsx'
import { Text } from '../../ui/text.tsx'
import { AgainIn } from '../../ui/time.tsx'
import { asSentence } from '../../words/as-sentence.ts'
import { reasonsOfRun } from '../../words/runs.ts'
import styles from './run.module.css'

interface ReasonsProps {
  run: ExecutionRequest
  /** What the run itself does not say. */
  reason: string | null
  nextSteps: readonly AdvisedStep[]
}

/** What this page does itself, or is. */
const here: readonly string[] = [
  'cancelExecutionRequest',
  'cancelObjective',
  'resumeObjective',
  'getExecutionRequest',
]

/** Why it waits or ended so, what went wrong on its way, and what helps. */
export function Reasons({ run, reason, nextSteps }: ReasonsProps) {
  const isOver = !isLive(run)
  const said = [...(reason === null ? [] : [asSentence(reason)]), ...reasonsOfRun(run)]
  const until = isOver || run.status === 'launched' ? null : (run.lastRelease?.until ?? null)
  const own = isOver ? run.failure?.next : run.lastRelease?.next
  const advised = nextSteps
    .map(({ next }) => next)
    .filter(({ operation }) => !here.includes(operation))
  const known = advised.some(({ operation }) => operation === own?.operation)
  const steps = own === undefined || known ? advised : [own, ...advised]
  return (
    <>
      {(said.length > 0 || until !== null) && (
        <p className={styles['reasons']}>
          {[...new Set(said)].map((one) => (
            <span key={one}>
              <Text>{one}</Text>{' '}
            </span>
          ))}
          {until !== null && (
            <span>
              It is tried again <AgainIn at={until} />.
            </span>
          )}
        </p>
      )}
      {run.warnings.length > 0 && (
        <ul className={styles['warnings']} aria-label="Warnings">
          {run.warnings.map((warning) => (
            <li key={warning}>
              <Text>{warning}</Text>
            </li>
          ))}
        </ul>
      )}
      {steps.length > 0 && (
        <div className={styles['next']}>
          {steps.map((step) => (
            <StepLink key={JSON.stringify(step)} step={step} />
          ))}
        </div>
      )}
    </>
  )
}
