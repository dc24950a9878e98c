import { appPath } from '@svc/contracts/links'
import type { NextStep } from '@svc/contracts/next-step'
import type { Tx } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '../common/ids.ts'

export interface Notice {
  kind: string
  /** What the notice is about: nobody is notified of the same twice. */
  key: string
  title: string
  /** Where to look: a page of the web app, below the workspace. */
  page: string
  /** Left out: of the workspace as a whole. */
  project_id?: string
  /** What it is about: once its cause has gone, it counts as read. */
  subject_id?: string
  /** Its cause has gone already: it is kept as read. */
  is_settled?: boolean
  /** What its person does then. */
  next: NextStep
}

/** A notification for each admin of the workspace, in the transaction of its cause. Decision 53. */
export async function notifyAdmins(tx: Tx, workspaceId: string, notice: Notice): Promise<void> {
  const admins = await tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id')
    .where('m.workspace_id', '=', workspaceId)
    .where('m.role', 'in', ['owner', 'admin'])
    .where('u.disabled_at', 'is', null)
    .execute()
  const userIds = admins.map((admin) => admin.user_id)
  if (userIds.length === 0) return
  await insertingNotices(tx, workspaceId, userIds, notice).execute()
}

/** A notification for each of these people who has none of the same key. */
export function insertingNotices(
  tx: Tx,
  workspaceId: string,
  userIds: readonly string[],
  { next, page, is_settled: isSettled, ...values }: Notice,
) {
  return tx
    .insertInto('notifications')
    .values(
      userIds.map((userId) => ({
        workspace_id: workspaceId,
        id: newId(),
        user_id: userId,
        ...values,
        link: linkTo(page, workspaceId),
        next: JSON.stringify(next),
        ...(isSettled && { read_at: sql<Date>`app.now()` }),
      })),
    )
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'key']).doNothing())
}

/** With the slug of the workspace, which not every cause has at hand. */
function linkTo(page: string, workspaceId: string): RawBuilder<string> {
  const slug = ':slug'
  return sql`(select replace(${appPath(slug, page)}::text, ${slug}, w.slug) from workspaces w where w.id = ${workspaceId})`
}
