import type { RunQueueEntry } from '@svc/contracts/run-queue'
import { useWorkspace } from '../../data/use-workspace.ts'
import { isInFlight } from '../../data/states.ts'
import { OrderButtons, sortable } from '../../parts/order/order-buttons.tsx'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { IdLink, Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { StepLink } from '../../shell/step-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { AgainIn } from '../../ui/time.tsx'
import { waitOf } from '../../words/queues.ts'
import { entryWords } from '../../words/states.ts'
import { EntryMenu } from './entry-menu.tsx'
import styles from './queues.module.css'
import type { Queue } from './reads.ts'
import { type Moves, useScene } from './scene.ts'

interface EntryProps {
  entry: RunQueueEntry
  queue: Queue
  number: number
  /** Undefined where it runs, and for those who may not. */
  moves: Moves | undefined
}

/** One objective of a queue: what it is at, why it is not launched now, and who ends that. */
export function Entry({ entry, queue, number, moves }: EntryProps) {
  const { doing } = useScene()
  const { rights } = useWorkspace()
  const { title, state, attempt } = entry
  const runs = isInFlight(entry)
  const mayChange = rights.mayCall('removeRunQueueEntry')
  return (
    <li
      className={`${sortable} ${styles['entry']}`}
      data-sorted={entry.id}
      data-in-flight={runs || undefined}
    >
      <div className={styles['line']}>
        <span className={styles['number']}>{number}</span>
        <Badge of={entryWords[state]} />
        <IdLink id={entry.displayId} />
        <span className={styles['title']}>
          <Text>{title === '' ? 'Nothing written yet' : title}</Text>
        </span>
        {attempt > 1 && <span className={styles['quiet']}>try {attempt}</span>}
        {mayChange && !runs && (
          <span className={styles['controls']}>
            {moves && <OrderButtons onStep={moves.step} title={entry.displayId} />}
            <EntryMenu entry={entry} queue={queue} moves={moves} />
          </span>
        )}
      </div>
      <Wait entry={entry} queue={queue} />
      {mayChange && state === 'held' && (
        <div className={styles['remedies']}>
          <Button disabled={doing.isSending} onClick={() => doing.retry(entry)}>
            Try again
          </Button>
          <Button disabled={doing.isSending} onClick={() => doing.remove(entry, queue)}>
            Take it out
          </Button>
        </div>
      )}
      {doing.about === entry.id &&
        doing.actions.map((action, index) => <ActionProblem key={index} of={action} />)}
    </li>
  )
}

function Wait({ entry, queue }: Pick<EntryProps, 'entry' | 'queue'>) {
  const { hold } = entry
  const sentences = waitOf(entry, queue)
  if (sentences.length === 0) return null
  return (
    <div className={styles['wait']}>
      <p>
        {sentences.join(' ')} <WaitsFor entry={entry} />
        {hold && (
          <>
            <Text>{hold.agent}</Text> is tried again <AgainIn at={hold.until} />.
          </>
        )}
      </p>
      {hold && <StepLink step={{ operation: 'retryAgent', params: { agent: hold.agent } }} />}
    </div>
  )
}

/** By its id where it stands in a queue as well; another objective is led to all the same. */
function WaitsFor({ entry: { waitingOn } }: Pick<EntryProps, 'entry'>) {
  const { queues } = useScene()
  if (waitingOn === null) return null
  if (waitingOn.type === 'resource') {
    return (
      <>
        It waits for the checkout <Text>{waitingOn.id}</Text>:{' '}
        <Link to={pathTo('runners', {})}>see the runners</Link>.{' '}
      </>
    )
  }
  const known = queues
    .flatMap(({ entries }) => entries)
    .find(({ objectiveId }) => objectiveId === waitingOn.id)
  return (
    <>
      It waits for{' '}
      {known ? (
        <IdLink id={known.displayId} />
      ) : (
        <Link to={pathTo('objective', { objective: waitingOn.id })}>that objective</Link>
      )}
      .{' '}
    </>
  )
}
