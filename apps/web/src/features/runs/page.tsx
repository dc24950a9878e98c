import type { ListedRun } from '@svc/contracts/execution-request'
import type { RouteOutput } from '@svc/contracts/rest'
import { useRef } from 'react'
import { useSearch } from 'wouter'
import { usePages } from '../../data/reads.ts'
import { useSilenceOfRuns } from '../../data/use-silence.ts'
import { RunnerOfRun } from '../../parts/runner/runner-name.tsx'
import { IdLink, Link } from '../../shell/link.tsx'
import { PageHead } from '../../shell/pages.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { asSentence } from '../../words/as-sentence.ts'
import { duration } from '../../words/duration.ts'
import { money, short } from '../../words/mission.ts'
import { reasonsOfRun, wordsOfRun } from '../../words/runs.ts'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, readFilters, requestOf, searchOf } from './filters.ts'
import { runsKeys } from './keys.ts'
import { runs } from './reads.ts'
import styles from './runs.module.css'

/** All runs of the workspace, the newest first. */
export function Page() {
  const filters = readFilters(useSearch())
  const read = usePages(runs, requestOf(filters))
  return (
    <>
      <PageHead title="Runs" />
      <FilterBar filters={filters} />
      <Shown of={read} rows={6}>
        {({ pages }) => (
          <>
            <RunList pages={pages} filters={filters} />
            {read.hasNextPage && (
              <Button onClick={() => void read.fetchNextPage()} disabled={read.isFetchingNextPage}>
                More
              </Button>
            )}
          </>
        )}
      </Shown>
    </>
  )
}

interface RunListProps {
  pages: readonly RouteOutput<'listExecutionRequests'>[]
  filters: Filters
}

function RunList({ pages, filters }: RunListProps) {
  const list = useRef<HTMLUListElement>(null)
  useKeys(runsKeys(() => [...(list.current?.querySelectorAll<HTMLElement>('[data-run]') ?? [])]))
  const all = pages.flatMap(({ executionRequests }) => executionRequests)
  useSilenceOfRuns('listExecutionRequests', all)
  if (all.length === 0) {
    const isAny = Object.keys(searchOf(filters)).length > 0
    return (
      <p>
        {isAny
          ? 'No run is as you ask for.'
          : 'Nothing was launched yet. A run is there as soon as an objective is launched.'}
      </p>
    )
  }
  const untaken = Object.fromEntries(pages.flatMap((page) => Object.entries(page.untaken)))
  return (
    <ul ref={list} className={styles['rows']} aria-label="Runs">
      {all.map((run) => (
        <li key={run.id} className={styles['row']}>
          <RunRow run={run} untaken={untaken[run.id]} />
        </li>
      ))}
    </ul>
  )
}

function RunRow({ run, untaken }: { run: ListedRun; untaken: string | undefined }) {
  const { agent, runnerId, runnerLabel, createdAt, endedAt, progress, objective, deleted } = run
  const reasons = [...(untaken === undefined ? [] : [asSentence(untaken)]), ...reasonsOfRun(run)]
  const words = wordsOfRun(run)
  // what was reported last is no more what it does once it is over
  const note = endedAt === null ? progress?.note : undefined
  return (
    <>
      <Badge of={words} />
      {deleted ? <Text>{objective.displayId}</Text> : <IdLink id={objective.displayId} />}
      <Link to={pathTo('run', { run: run.id })} className={styles['title']} data-run={run.id}>
        <Text>{objective.title}</Text>
      </Link>
      <span className={styles['quiet']}>
        <Text>{agent}</Text>
        {runnerLabel !== null && (
          <>
            {' on '}
            <RunnerOfRun id={runnerId} label={runnerLabel} />
          </>
        )}
        {endedAt === null ? ' · since ' : ' · ended '}
        <Ago at={endedAt ?? createdAt} />
        {endedAt === null && progress?.percent != null && ` · ${Math.round(progress.percent)} %`}
        {deleted && ' · deleted'}
      </span>
      <Used run={run} />
      <span className={reasons.length > 0 ? styles['reason'] : styles['sentence']}>
        <Text>{reasons.length > 0 ? reasons.join(' ') : (note ?? words.sentence)}</Text>
      </span>
    </>
  )
}

function Used({ run: { usage, seconds } }: { run: ListedRun }) {
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
  const said = [
    ...(tokens === 0 ? [] : [`${short(tokens)} tokens`]),
    ...(usage?.usd === undefined ? [] : [money(usage.usd)]),
    ...(seconds === null ? [] : [duration(seconds)]),
  ]
  if (said.length === 0) return null
  return <span className={styles['used']}>{said.join(' · ')}</span>
}
