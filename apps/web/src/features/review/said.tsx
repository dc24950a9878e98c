import type { ReactNode } from 'react'
import { Markdown } from '../../ui/markdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './review.module.css'
import { type Delivery, urgentFirst } from './story.ts'

/** What the agent says of its work; what a person has to do comes before all that is only to be known. */
export function Said({ delivery }: { delivery: Delivery }) {
  const { agentReport, presentation } = delivery.report
  const { risks, tradeoffsMade, deferredWork, assumptions } = agentReport
  return (
    <>
      {delivery.warnings.length > 0 && (
        <Notice tone="caution">
          {delivery.warnings.map((warning) => (
            <p key={warning}>
              <Text>{warning}</Text>
            </p>
          ))}
        </Notice>
      )}
      <ForYou actions={urgentFirst(agentReport.humanActions)} />
      <div className={styles['summary']}>
        <Markdown>
          {presentation.status === 'composed' ? presentation.markdown : delivery.summary}
        </Markdown>
      </div>
      {risks.length + tradeoffsMade.length + deferredWork.length + assumptions.length > 0 && (
        <div className={styles['folds']}>
          <Fold title="Risks" items={risks.map(({ text, evidence }) => [text, evidence])} />
          <Fold
            title="Trade-offs"
            items={tradeoffsMade.map(({ decision, rationale, impact }) => [
              decision,
              rationale,
              impact,
            ])}
          />
          <Fold
            title="Left for later"
            items={deferredWork.map(({ text, evidence }) => [text, evidence])}
          />
          <Fold title="Assumed" items={assumptions.map(({ text, evidence }) => [text, evidence])} />
        </div>
      )}
    </>
  )
}

type HumanAction = Delivery['report']['agentReport']['humanActions'][number]

function ForYou({ actions }: { actions: readonly HumanAction[] }) {
  if (actions.length === 0) return null
  return (
    <div className={styles['forYou']}>
      <h4>For you to do</h4>
      <ul>
        {actions.map(({ action, reason, blocking }, index) => (
          <li key={index}>
            <span className={styles['action']}>
              <Text>{action}</Text>
              {blocking === true && <strong className={styles['blocking']}>blocking</strong>}
            </span>
            {reason !== undefined && (
              <p className={styles['quiet']}>
                <Text>{reason}</Text>
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

type Item = readonly (string | undefined)[]

/** Its first text is what it says, the others are why. */
function Fold({ title, items }: { title: string; items: readonly Item[] }): ReactNode {
  if (items.length === 0) return null
  return (
    <details className={styles['fold']}>
      <summary>
        {title} <span className={styles['count']}>{items.length}</span>
      </summary>
      <ul className={styles['items']}>
        {items.map(([first = '', ...rest], index) => (
          <li key={index}>
            <Text>{first}</Text>
            {rest.map(
              (text, place) =>
                text !== undefined && (
                  <p key={place} className={styles['quiet']}>
                    <Text>{text}</Text>
                  </p>
                ),
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
