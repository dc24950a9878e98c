import type { Tx } from '@svc/db/database'
import type { ProjectRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { requireProject } from './queries.ts'

/** Statuses and resources of one project are changed one caller at a time. */
export async function lockProject(tx: Tx, workspaceId: string, ref: string): Promise<ProjectRow> {
  const project = await requireProject(tx, workspaceId, ref)
  await sql`select from projects where workspace_id = ${workspaceId} and id = ${project.id}
             for no key update`.execute(tx)
  return project
}
