import { type RawBuilder, sql } from 'kysely'
import type { ObjectiveRow } from '@svc/db/tables'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { type ShownObjective, shortColumns } from '../entities/objectives/views.ts'

export interface Surrounding extends ShownObjective {
  cut: boolean
}

/**
 * The mission's other objectives in their order. Their instructions share `most` bytes: the nearest come whole, and
 * what is not read is not sent by the database either.
 */
export function selectSurroundings(
  { workspace_id, id }: MissionRecord,
  current: ObjectiveRow | undefined,
  most: number,
): RawBuilder<Surrounding> {
  const from = current?.position ?? 0
  const shown = sql.join(shortColumns.map((name) => sql.ref(name)))
  return sql<Surrounding>`
    with others as materialized (
      select * from objectives
       where workspace_id = ${workspace_id} and mission_id = ${id} and deleted_at is null
         and id is distinct from ${current?.id ?? null}::uuid),
    shared as (
      select others.*, octet_length(instruction) as bytes,
             ${most} - sum(octet_length(instruction))
               over (order by abs(position - ${from}), position) as left_over
        from others)
    select ${shown}, left_over < 0 and bytes > 0 as cut,
           case when left_over >= 0 or bytes = 0 then instruction
                when left_over + bytes > 0 then left(instruction, (left_over + bytes)::int) || '…'
                else '…' end as instruction
      from shared order by position`
}
