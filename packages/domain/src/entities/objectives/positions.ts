import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { where } from '../../states/states.ts'

/** Closes the gaps: 1 to n, what has started before what has not. The caller holds the missions' locks. */
export async function closeGaps(
  tx: Tx,
  workspaceId: string,
  missionIds: readonly string[],
): Promise<void> {
  await sql`
    with ordered as (
      select id, row_number() over (partition by mission_id order by not ${where.started()}, position) as position
        from objectives
       where workspace_id = ${workspaceId} and mission_id = any(${missionIds}::uuid[])
         and position is not null
    )
    update objectives o set position = ordered.position from ordered
     where o.workspace_id = ${workspaceId} and o.id = ordered.id
       and o.position is distinct from ordered.position`.execute(tx)
}
