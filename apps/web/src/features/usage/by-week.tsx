import type { RouteOutput } from '@svc/contracts/rest'
import { Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Text } from '../../ui/text.tsx'
import { counted } from '../../words/counted.ts'
import { type Measure, mostOf } from './bars.ts'
import { type Bar, Columns, Legend } from './bars.tsx'
import { Export } from './export.tsx'
import { type Filters, searchOf } from './filters.ts'
import { type Sum, countOf, describeSum, endNames } from './sums.ts'
import { SumTable } from './table.tsx'
import styles from './usage.module.css'
import { dayWords, mondaysFrom } from './weeks.ts'

const none: Sum = {
  runs: 0,
  runsOfUnknownCost: 0,
  runsOfUnknownTokens: 0,
  inputTokens: 0,
  outputTokens: 0,
  usd: '0',
  seconds: 0,
  ends: { delivered: 0, exited: 0, lost: 0, cancelled: 0, failed: 0 },
}

interface ByWeekProps {
  of: RouteOutput<'getUsage'>
  filters: Filters
  now: number
}

/** Runs by the weeks in which they were launched: how they ended, and what they cost. */
export function ByWeek({ of: { since, rows, total }, filters, now }: ByWeekProps) {
  const known = new Map(rows.map((row) => [row.week ?? '', row]))
  const mondays = mondaysFrom(since, rows.at(-1)?.week, now)
  const bars = mondays.map((week) => ({
    key: week,
    name: `Week of ${dayWords(week)}`,
    sum: known.get(week) ?? none,
  }))
  const shown = bars.filter(({ sum }) => sum.runs > 0).toReversed()
  return (
    <section aria-labelledby="by-week" className={styles['part']}>
      <div className={styles['head']}>
        <h2 id="by-week">
          By week
          {filters.agent !== '' && (
            <>
              , of <Text>{nameOf(filters)}</Text>
            </>
          )}
        </h2>
        {filters.agent !== '' && (
          <Link to={pathTo('usage', {}, searchOf({ ...filters, agent: '', model: undefined }))}>
            All agents
          </Link>
        )}
        {shown.length > 0 && (
          <span className={styles['actions']}>
            <Export
              what="the weeks"
              heads={['Week']}
              rows={shown.map(({ key, sum }) => ({ heads: [key], sum }))}
            />
          </span>
        )}
      </div>
      <p>{describeSum(total)}</p>
      {shown.length > 0 && (
        <>
          <div className={styles['charts']}>
            <Chart bars={bars} measure="runs" />
            <Chart bars={bars} measure="cost" />
          </div>
          <SumTable
            label="Usage by week"
            heads={['Week']}
            rows={shown.map(({ key, sum }) => ({ key, heads: [dayWords(key)], sum }))}
          />
        </>
      )}
    </section>
  )
}

function nameOf({ agent, model }: Filters): string {
  if (model === undefined) return agent
  return model === 'own' ? `${agent}, its own model` : `${agent}, ${model.name}`
}

const captions = { runs: 'Runs, by how they ended', cost: 'Cost' } as const

function Chart({ bars, measure }: { bars: readonly Bar[]; measure: Measure }) {
  const sums = bars.map(({ sum }) => sum)
  const most = mostOf(sums, measure)
  const ends = endNames.filter((end) => sums.some((sum) => countOf(sum, end) > 0))
  const hasUntold = sums.some(({ runsOfUnknownCost }) => runsOfUnknownCost > 0)
  const said = measure === 'runs' ? counted(most, 'run') : `$${most}`
  return (
    <figure className={styles['chart']}>
      <figcaption>
        {captions[measure]}. <span className={styles['quiet']}>Highest: {said}</span>
      </figcaption>
      <Columns
        label={`Bars: ${captions[measure]} each week. The table has the same numbers.`}
        bars={bars}
        measure={measure}
        most={most}
      />
      <div className={styles['ends']}>
        <span>{dayWords(bars[0]?.key ?? '')}</span>
        <span>{dayWords(bars.at(-1)?.key ?? '')}</span>
      </div>
      <Legend
        of={measure === 'runs' ? ends : ['cost', ...(hasUntold ? ['untold' as const] : [])]}
      />
    </figure>
  )
}
