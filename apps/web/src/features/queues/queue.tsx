import { useEffect, useId, useRef } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { isInFlight } from '../../data/states.ts'
import { useOrder } from '../../parts/order/use-order.ts'
import { StepLink } from '../../shell/step-link.tsx'
import { leadingStep } from '../../shell/step-targets.ts'
import { Badge } from '../../ui/badge.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { counted } from '../../words/counted.ts'
import { needsStart } from '../../words/queues.ts'
import { pauseWords, queueWords } from '../../words/states.ts'
import { Entry } from './entry.tsx'
import { QueueActions } from './queue-actions.tsx'
import styles from './queues.module.css'
import type { Queue } from './reads.ts'
import { type Moves, useScene } from './scene.ts'

interface QueueProps {
  queue: Queue
  /** Counted from 0; the default one is the first. */
  place: number
  /** It is what somebody was led here for. */
  isWanted: boolean
}

/** A queue with its entries in the order in which they are launched. */
export function QueueSection({ queue, place, isWanted }: QueueProps) {
  const { ordering } = useScene()
  const { rights } = useWorkspace()
  const heading = useId()
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isWanted) section.current?.scrollIntoView({ block: 'start' })
  }, [isWanted])
  const { entries } = queue
  const resting = entries.filter((entry) => !isInFlight(entry)).map(({ id }) => id)
  const movable = rights.mayCall('orderRunQueueEntries') && resting.length > 1 ? resting : []
  const { list, order, step } = useOrder({
    rows: entries.map(({ id }) => id),
    movable,
    onOrder: (ids, moved) => ordering.order(queue, ids, moved),
  })
  const movesOf = (id: string): Moves => {
    const others = movable.filter((one) => one !== id)
    return {
      step: (by) => step(id, by),
      toEnd: (end) => order(end === 'first' ? [id, ...others] : [...others, id], id),
    }
  }
  return (
    <section
      ref={section}
      className={styles['queue']}
      aria-labelledby={heading}
      data-queue={queue.id}
      data-wanted={isWanted || undefined}
    >
      <div className={styles['head']}>
        <h2 id={heading}>
          <Text>{queue.name}</Text>
        </h2>
        <Badge of={queueWords[queue.state]} />
        <span className={styles['quiet']}>{counted(entries.length, 'entry', 'entries')}</span>
        <QueueActions queue={queue} place={place} />
      </div>
      <State queue={queue} />
      {entries.length === 0 ? (
        <p className={styles['empty']}>
          {rights.mayCall('queueObjective')
            ? 'Nothing is queued. An objective is queued on the page of its mission; each delivery of the project launches the next one.'
            : 'Nothing is queued.'}
        </p>
      ) : (
        <ol ref={list} className={styles['entries']}>
          {entries.map((entry, index) => (
            <Entry
              key={entry.id}
              entry={entry}
              queue={queue}
              number={index + 1}
              moves={movable.includes(entry.id) ? movesOf(entry.id) : undefined}
            />
          ))}
        </ol>
      )}
      <NextSteps queue={queue} />
    </section>
  )
}

/** Why it launches nothing, or since when it should. */
function State({ queue }: { queue: Queue }) {
  const { me } = useWorkspace()
  const { pausedAt, pausedBy, pauseReason, advanceOwedSince } = queue
  if (pausedAt !== null) {
    const who = pausedBy === me.user.id ? 'You have paused it' : 'A person has paused it'
    return (
      <p className={styles['state']}>
        {pauseReason === null ? `${who},` : `${pauseWords[pauseReason]} So it was paused,`}{' '}
        <Ago at={pausedAt} />. It launches nothing until somebody{' '}
        {needsStart(queue) ? 'starts it' : 'lets it go on'}.
      </p>
    )
  }
  if (advanceOwedSince === null || queue.state !== 'owing') return null
  return (
    <p className={styles['state']}>
      A delivery asks for its next entry, since <Ago at={advanceOwedSince} />.
    </p>
  )
}

/** They stand on the page as buttons. */
const taken: ReadonlySet<string> = new Set([
  'startRunQueue',
  'resumeRunQueue',
  'retryRunQueueEntry',
])

/** What helps besides, as the service says it: one of each kind. */
function NextSteps({ queue }: { queue: Queue }) {
  const steps = queue.nextSteps.filter(({ next }) => !taken.has(next.operation))
  if (steps.length === 0) return null
  return (
    <ul className={styles['steps']} aria-label="What helps">
      {steps.map((step) => (
        <li key={step.why}>
          <span>{step.why}:</span> <StepLink step={leadingStep(step)} />
        </li>
      ))}
    </ul>
  )
}
