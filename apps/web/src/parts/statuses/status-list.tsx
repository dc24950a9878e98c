import type { KeyboardEvent } from 'react'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Shown } from '../../shell/shown.tsx'
import { useOrder } from '../order/use-order.ts'
import { NewStatus } from './new-status.tsx'
import { OrderProblem } from './order-problem.tsx'
import { type Statuses, statuses } from './reads.ts'
import { StatusRow } from './status-row.tsx'
import styles from './statuses.module.css'
import { useOrderingStatuses } from './use-ordering.ts'

/** The columns of a project: their names, their order, and which there are. */
export function StatusList({ projectId }: { projectId: string }) {
  const { rights } = useWorkspace()
  const read = useRead(statuses, { id: projectId })
  return (
    <>
      <Shown of={read}>{(known) => <List known={known} />}</Shown>
      {rights.mayCall('createProjectStatus') && <NewStatus projectId={projectId} />}
    </>
  )
}

function List({ known }: { known: Statuses }) {
  const { rights } = useWorkspace()
  const ordering = useOrderingStatuses(known)
  const { shown } = ordering
  const ids = shown.statuses.map(({ id }) => id)
  const movable = rights.mayCall('orderProjectStatuses') && ids.length > 1 ? ids : []
  const { list, step } = useOrder({ rows: ids, movable, onOrder: ordering.order })
  const move = (event: KeyboardEvent) => {
    const by = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
    const row = event.target instanceof Element && event.target.closest('[data-sorted]')
    const id = row instanceof HTMLElement && row.dataset['sorted']
    if (by === undefined || !event.altKey || !id || !movable.includes(id)) return
    event.preventDefault()
    step(id, by)
  }
  return (
    <>
      <ol ref={list} className={styles['rows']} aria-label="Columns" onKeyDown={move}>
        {shown.statuses.map((status) => (
          <StatusRow
            key={status.id}
            status={status}
            known={shown}
            onStep={movable.length > 0 ? (by) => step(status.id, by) : undefined}
          />
        ))}
      </ol>
      <OrderProblem of={ordering} />
    </>
  )
}
