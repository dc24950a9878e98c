import type { Candidate } from '@svc/contracts/launch-forecast'
import { Badge } from '../../ui/badge.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { Text } from '../../ui/text.tsx'
import { Until } from '../../ui/time.tsx'
import { wordsOfCandidate } from '../../words/launch.ts'
import { trustCommand } from '../first-run/commands.ts'
import { RunnerName } from '../runner/runner-name.tsx'
import styles from './launch.module.css'

interface CandidatesProps {
  of: readonly Candidate[]
  /** By its name where a runner refuses the launch until its machine trusts what the project adds to it. */
  trusting: string | undefined
}

/** Who could take the launch, and why the others do not. */
export function Candidates({ of, trusting }: CandidatesProps) {
  const able = of.filter((one) => one.able)
  const runners = of.map(({ runner }) => runner)
  return (
    <section className={styles['candidates']} aria-label="Who can take it">
      <h3>Who can take it</h3>
      {able.length === 0 && (
        <p>
          {of.length === 0
            ? 'No runner has ever connected: start one on a machine with svc runner start.'
            : 'None of these runners. The launch waits for one that can.'}
        </p>
      )}
      <ul>
        {of.map((one) => (
          <li key={one.runner.id} data-able={one.able || undefined}>
            <RunnerName runner={one.runner} among={runners} /> <Badge of={wordsOfCandidate(one)} />
            <Why of={one} />
          </li>
        ))}
      </ul>
      {trusting !== undefined && of.length > 0 && <Trust project={trusting} />}
    </section>
  )
}

/** Each machine knows alone what it trusts. Decision 100. */
function Trust({ project }: { project: string }) {
  return (
    <div className={styles['trust']}>
      <p>
        The launch settings of this project add to what a launch does. A runner that has not been
        told to trust them as they are now takes the launch and ends it at once, and which ones have
        is known on their machines alone. On such a machine, this shows what there is and asks:
      </p>
      <CopyCommand command={trustCommand(project)} />
    </div>
  )
}

function Why({ of: { reasons } }: { of: Candidate }) {
  if (reasons.length === 0) return null
  return (
    <span className={styles['why']}>
      {reasons.map(({ code, message, until }) => (
        <span key={code}>
          <Text>{message}</Text>{' '}
          {until !== null && (
            <>
              For <Until at={until} />.{' '}
            </>
          )}
        </span>
      ))}
    </span>
  )
}
