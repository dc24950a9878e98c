import type { Tx } from '@svc/db/database'
import type { ProjectRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { requireProject } from './queries.ts'

/** A project and what belongs to it are changed one caller at a time. What is locked is read after the lock. */
export async function lockProject(tx: Tx, workspaceId: string, ref: string): Promise<ProjectRow> {
  const { id } = await requireProject(tx, workspaceId, ref)
  await sql`select from projects where workspace_id = ${workspaceId} and id = ${id}
             for no key update`.execute(tx)
  return requireProject(tx, workspaceId, id)
}
