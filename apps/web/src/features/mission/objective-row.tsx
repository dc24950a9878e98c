import type { ListedObjective, Objective } from '@svc/contracts/objective'
import { isLive, isNotStarted } from '../../data/states.ts'
import { OrderButtons, sortable } from '../../parts/order/order-buttons.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Text } from '../../ui/text.tsx'
import badge from '../../ui/badge.module.css'
import { type Wording, lastOutcomeWords, objectiveWords, sessionWords } from '../../words/states.ts'
import { ObjectiveDetails } from './objective-details.tsx'
import styles from './objectives.module.css'
import { RunLine } from './run.tsx'
import { runsOf, useScene } from './scene.ts'
import { shortId } from './wanted.ts'

interface RowProps {
  objective: ListedObjective
  number: number
  /** One place up or down, where its order is one's own to say. */
  onStep?: (step: 1 | -1) => void
}

/** One objective: its state, what is to be done, and who does it; the details when it is opened. */
export function ObjectiveRow({ objective, number, onStep }: RowProps) {
  const { shown, expanded, expand } = useScene()
  const isOpen = expanded === objective.id
  const asks = shown.questions.some(
    ({ objectiveId, status }) => status === 'open' && objectiveId === objective.id,
  )
  const words = asks ? sessionWords.waiting_answer : wordsOf(objective)
  const [run] = runsOf(shown, objective.id)
  const agent = run && isLive(run) ? run.agent : (objective.assigned_agent ?? run?.agent)
  const details = `details-${objective.id}`
  return (
    <li
      className={`${sortable} ${styles['row']}`}
      data-objective={objective.id}
      data-sorted={objective.id}
    >
      <div className={styles['line']}>
        <span className={`${styles['sign']} ${badge[words.tone] ?? ''}`} title={words.sentence}>
          <span aria-hidden="true">{words.sign}</span>
        </span>
        <span className={styles['number']}>{number}</span>
        <button
          type="button"
          className={styles['name']}
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={() => expand(isOpen ? undefined : objective.id)}
        >
          <Text>{objective.title === '' ? 'Nothing written yet' : objective.title}</Text>
          <Hidden>({words.word})</Hidden>
        </button>
        <span className={styles['facts']}>
          {agent !== undefined && (
            <span>
              <Text>{agent}</Text>
            </span>
          )}
          <span className={badge[words.tone]} aria-hidden="true">
            {words.word}
          </span>
          <code>{shortId(objective.displayId)}</code>
        </span>
        {onStep && (
          <span className={styles['order']}>
            <OrderButtons onStep={onStep} title={objective.title} />
          </span>
        )}
      </div>
      {!isOpen && run && isLive(run) && <RunLine run={run} />}
      <div id={details}>{isOpen && <ObjectiveDetails objective={objective} />}</div>
    </li>
  )
}

/** What has not started may have been tried: that is what people want to know then. */
function wordsOf({ state, lastOutcome }: Objective): Wording {
  const isBack = lastOutcome !== null && isNotStarted(state) && state !== 'awaiting_approval'
  return isBack ? lastOutcomeWords[lastOutcome] : objectiveWords[state]
}
