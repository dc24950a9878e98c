import type { Tx } from '@svc/db/database'
import type { ProjectStatusRow } from '@svc/db/tables'
import { sql } from 'kysely'

/** Missions that are deleted leave a status in silence: nobody is notified of them, and one may be restored. */
export async function moveDeletedMissions(
  tx: Tx,
  { workspace_id, project_id, id }: ProjectStatusRow,
  to: string,
): Promise<void> {
  await sql`
    update missions
       set status_id = ${to},
           in_review_since = (select coalesce(in_review_since, app.now()) from project_statuses s
                               where s.workspace_id = ${workspace_id} and s.id = ${to} and s.type = 'review')
     where workspace_id = ${workspace_id} and project_id = ${project_id} and status_id = ${id}
       and deleted_at is not null`.execute(tx)
}
