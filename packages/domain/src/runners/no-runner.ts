import { appPages } from '@svc/contracts/links'
import { sql } from 'kysely'
import { eachDue } from '../commit/each-due.ts'
import type { Domain } from '../domain.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { type Run, lockRun } from '../lifecycle/lock-run.ts'
import { notifyOwner } from '../notifications/notify-owner.ts'
import { selectUntaken, whyNoRunner } from './untaken.ts'

/** Whoever launched what nobody can take is notified, once. */
export async function notifyOfNoRunner(domain: Domain): Promise<void> {
  await eachDue(domain, {
    find: async (most) => {
      const isWanted = sql`e.no_runner_notified_at is null`
      return (await selectUntaken({ isWanted, most }).execute(domain.db)).rows
    },
    async lock(tx, { workspace_id, id }) {
      const run = await lockRun(tx, workspace_id, id)
      const { status, no_runner_notified_at: notifiedAt } = run.request
      return status === 'queued' && notifiedAt === null ? run : undefined
    },
    async work(tx, run) {
      const { workspace_id, id } = run.request
      await sql`update execution_requests set no_runner_notified_at = app.now()
                 where workspace_id = ${workspace_id} and id = ${id}`.execute(tx)
      await notifyOwner(tx, run, noticeOf(run))
    },
  })
}

function noticeOf({ mission, objective, request }: Run) {
  return {
    kind: 'no_runner',
    key: `no_runner:${request.id}`,
    title: `${displayIdOf(mission, objective)} waits: ${whyNoRunner(request)}`,
    page: appPages.run(request.id),
    subject_id: request.id,
    next: { operation: 'listRunners', params: {} } as const,
  }
}
