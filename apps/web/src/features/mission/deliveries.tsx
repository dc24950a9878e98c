import type { Objective } from '@svc/contracts/objective'
import { ButtonLink } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Badge } from '../../ui/badge.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { checkWords } from '../../words/states.ts'
import styles from './run.module.css'
import { useScene } from './scene.ts'

/** What the objective brought, in its agent's words; the review has all of it. */
export function Deliveries({ objective: { id } }: { objective: Objective }) {
  const { mission, deliveries } = useScene().shown
  const own = deliveries.filter(({ objectiveId }) => objectiveId === id)
  if (own.length === 0) return null
  return (
    <section className={styles['runs']} aria-label="Delivered">
      <h3>Delivered</h3>
      <ul>
        {own.map(({ id: key, summary, checks, warnings, createdAt }) => (
          <li key={key}>
            <p className={styles['where']}>
              <Ago at={createdAt} />
              {checks && (
                <>
                  , checks <Badge of={checkWords[checks.outcome]} />
                </>
              )}
            </p>
            <Markdown>{summary}</Markdown>
            {warnings.map((warning) => (
              <p key={warning} className={styles['warnings']}>
                <Text>{warning}</Text>
              </p>
            ))}
          </li>
        ))}
      </ul>
      <div>
        <ButtonLink to={pathTo('review', { mission: mission.displayId })}>Review</ButtonLink>
      </div>
    </section>
  )
}
