import type { RouteOutput } from '@svc/contracts/rest'
import { Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Check } from '../../ui/check.tsx'
import { Text } from '../../ui/text.tsx'
import { mostOf } from './bars.ts'
import { Lying } from './bars.tsx'
import { Export } from './export.tsx'
import { type Filters, searchOf } from './filters.ts'
import { SumTable } from './table.tsx'
import styles from './usage.module.css'

type Row = RouteOutput<'getUsage'>['rows'][number]

interface ByAgentProps {
  rows: readonly Row[]
  filters: Filters
  onModels: (areShown: boolean) => void
  /** What leads to more of them. */
  children: React.ReactNode
}

/** What the runs of each agent came to, next to each other; each leads to its weeks. */
export function ByAgent({ rows, filters, onModels, children }: ByAgentProps) {
  const { withModels } = filters
  const heads = withModels ? ['Agent', 'Model'] : ['Agent']
  const most = { runs: mostOf(rows, 'runs'), cost: mostOf(rows, 'cost') }
  return (
    <section aria-labelledby="by-agent" className={styles['part']}>
      <div className={styles['head']}>
        <h2 id="by-agent">By agent</h2>
        <Check checked={withModels} onChange={onModels}>
          each model by itself
        </Check>
        {rows.length > 0 && (
          <span className={styles['actions']}>
            <Export
              what="the agents"
              heads={heads}
              rows={rows.map((row) => ({ heads: namesOf(row, withModels), sum: row }))}
            />
          </span>
        )}
      </div>
      {rows.length === 0 ? (
        <p>A run counts here once it is over.</p>
      ) : (
        <SumTable
          label="Usage by agent"
          heads={heads}
          rows={rows.map((row) => ({
            key: JSON.stringify([row.agent, row.model]),
            heads: namesOf(row, withModels).map((name, index) =>
              index === 0 ? (
                <WeeksOf key={name} row={row} filters={filters} />
              ) : (
                <Text key={name}>{name}</Text>
              ),
            ),
            sum: row,
            bars: (
              <span className={styles['bars']}>
                <Lying sum={row} measure="runs" most={most.runs} />
                <Lying sum={row} measure="cost" most={most.cost} />
              </span>
            ),
          }))}
        />
      )}
      {children}
    </section>
  )
}

function namesOf({ agent = '', model }: Row, withModels: boolean): string[] {
  return withModels ? [agent, model ?? 'its own'] : [agent]
}

/** Leads to the weeks of this agent, and of this model where they are told apart. */
function WeeksOf({ row: { agent = '', model }, filters }: { row: Row; filters: Filters }) {
  const chosen = model === undefined ? undefined : model === null ? 'own' : { name: model }
  return (
    <Link to={pathTo('usage', {}, searchOf({ ...filters, agent, model: chosen }))}>
      <Text>{agent}</Text>
    </Link>
  )
}
