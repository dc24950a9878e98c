import type { ListedRun } from '@svc/contracts/execution-request'
import type { RouteOutput } from '@svc/contracts/rest'
import type { UseQueryResult } from '@tanstack/react-query'
import { useSilenceOfRuns } from '../../data/use-silence.ts'
import { IdLink, Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { asSentence } from '../../words/as-sentence.ts'
import { reasonsOfRun, wordsOfRun } from '../../words/runs.ts'
import styles from './needs.module.css'

type Runs = RouteOutput<'listExecutionRequests'>

/** What is queued or under way, the newest first; on a phone folded behind its numbers. */
export function Running({ of }: { of: UseQueryResult<Runs> }) {
  const isWide = useWide()
  if (of.data?.executionRequests.length === 0) return null
  return (
    <section className={styles['running']} aria-label="Running now">
      <h2>Running now</h2>
      <Shown of={of} rows={2}>
        {(runs) =>
          isWide ? (
            <RunList of={runs} />
          ) : (
            <Fold summary={summaryOf(runs)}>
              <RunList of={runs} />
            </Fold>
          )
        }
      </Shown>
    </section>
  )
}

/** `● 4 running ◌ 1 queued`; of a longer list the newest are counted. */
function summaryOf({ executionRequests, nextCursor }: Runs): string {
  const words = executionRequests.map(wordsOfRun)
  const byWord = Map.groupBy(words, ({ word }) => word)
  const parts = [...byWord].map(([word, those]) => `${those[0]?.sign} ${those.length} ${word}`)
  return [...parts, ...(nextCursor === undefined ? [] : ['and more'])].join('  ')
}

function RunList({ of: { executionRequests, untaken, nextCursor } }: { of: Runs }) {
  useSilenceOfRuns('listExecutionRequests', executionRequests)
  return (
    <>
      <ul className={styles['runs']} aria-label="Runs">
        {executionRequests.map((run) => (
          <li key={run.id} className={styles['run']}>
            <RunLine run={run} untaken={untaken[run.id]} />
          </li>
        ))}
      </ul>
      {nextCursor !== undefined && (
        <p className={styles['since']}>
          <Link to={pathTo('runs', {})}>All runs</Link>
        </p>
      )}
    </>
  )
}

function RunLine({ run, untaken }: { run: ListedRun; untaken: string | undefined }) {
  const { agent, runnerLabel, createdAt, progress } = run
  const reasons = [...(untaken === undefined ? [] : [asSentence(untaken)]), ...reasonsOfRun(run)]
  return (
    <>
      <Badge of={wordsOfRun(run)} />
      <IdLink id={run.objective.displayId} />
      <span className={styles['title']}>
        <Text>{run.objective.title}</Text>
      </span>
      <span className={styles['since']}>
        <Text>{runnerLabel === null ? agent : `${agent} on ${runnerLabel}`}</Text>
        {' · '}
        <Ago at={createdAt} />
        {progress?.percent != null && ` · ${Math.round(progress.percent)} %`}
      </span>
      {progress?.note != null && (
        <span className={styles['note']}>
          <Text>{progress.note}</Text>
        </span>
      )}
      {reasons.length > 0 && (
        <span className={styles['reason']}>
          <Text>{reasons.join(' ')}</Text>
        </span>
      )}
    </>
  )
}
