import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { RunnerRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { lookUp } from '../common/look-up.ts'
import { recordAudit } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { eachDue } from '../commit/each-due.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Domain } from '../domain.ts'
import { isConnected } from '../entities/runners/queries.ts'
import { where } from '../states/states.ts'
import type { UseCase } from '../use-case.ts'
import { noteUnnamed } from './unnamed.ts'

const named = 5

/** It takes nothing from now on, and its checkouts count no more. A member removes their own, an admin any. */
export async function removeRunner(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'removeRunner'>,
): Promise<undefined> {
  authorize(actor, 'runner:remove')
  return inTransaction(context, async (tx) => {
    const runner = await lockRunner(tx, actor, id)
    if (!mayRemove(actor, runner)) throw notYours(runner)
    await refuseIfBusy(tx, runner)
    await takeAway(tx, runner)
    const { label, platform, arch, user_id: ownerId } = runner
    recordAudit(tx, context, actor, {
      action: 'runner.removed',
      targetId: runner.id,
      details: { label, platform, arch, ownerId },
    })
    return undefined
  })
}

async function takeAway(tx: UnitOfWork, runner: RunnerRow): Promise<void> {
  await tx
    .updateTable('runners')
    .set({ removed_at: sql<Date>`app.now()` })
    .where('workspace_id', '=', runner.workspace_id)
    .where('id', '=', runner.id)
    .execute()
  await tx
    .deleteFrom('runner_resources')
    .where('workspace_id', '=', runner.workspace_id)
    .where('runner_id', '=', runner.id)
    .execute()
  if (runner.ephemeral) await noteUnnamed(tx, runner.workspace_id, [runner.id])
  recordChange(tx, { runner }, 'remove')
}

/** An ephemeral one that none of its runs needs any more. */
const isDone = sql<boolean>`r.ephemeral and r.removed_at is null
  and not exists (select from execution_requests e
                   where e.workspace_id = r.workspace_id and e.runner_id = r.id
                     and e.status <> 'queued' and ${where.live('e')} and e.ended_at is null)`

/** Nobody did it: no audit. One that has a run, or was not there for one launch alone, stays whatever it says. */
export async function removeLeaving(
  context: UseCase,
  { workspaceId, userId }: Actor,
  { instanceId }: Pick<RouteInput<'heartbeatRunner'>, 'instanceId'>,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const { rows } = await sql<RunnerRow>`
      select * from runners r
       where r.workspace_id = ${workspaceId} and r.user_id = ${userId}
         and r.instance_id = ${instanceId} and ${isDone}
         for no key update`.execute(tx)
    for (const runner of rows) await takeAway(tx, runner)
  })
}

/** The same for those that were killed, once they are not heard of any more. */
export async function removeGone(domain: Domain): Promise<void> {
  const isGone = sql<boolean>`${isDone} and not (${isConnected('r')})`
  await eachDue(domain, {
    async find(most) {
      const { rows } = await sql<Pick<RunnerRow, 'workspace_id' | 'id'>>`
        select r.workspace_id, r.id from runners r where ${isGone} limit ${most}`.execute(domain.db)
      return rows
    },
    async lock(tx, { workspace_id, id }) {
      const { rows } = await sql<RunnerRow>`
        select * from runners r where r.workspace_id = ${workspace_id} and r.id = ${id} and ${isGone}
           for no key update`.execute(tx)
      return rows[0]
    },
    work: takeAway,
  })
}

/** A claim writes this row before it takes anything: it is waited for, or finds the runner removed. */
async function lockRunner(tx: Tx, actor: Actor, id: string): Promise<RunnerRow> {
  const runner = await tx
    .selectFrom('runners')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!runner) throw notFound('runner', id)
  return runner
}

function mayRemove({ role, userId }: Actor, runner: RunnerRow): boolean {
  return role === 'owner' || role === 'admin' || runner.user_id === userId
}

function notYours({ label }: RunnerRow): ServiceError {
  return new ServiceError(
    'forbidden',
    `The runner ${label} is somebody else's. Ask them or an admin to remove it.`,
  )
}

async function refuseIfBusy(tx: Tx, runner: RunnerRow): Promise<void> {
  const { rows } = await sql<{ slug: string; sequence: number; key: string }>`
    select p.slug, m.sequence, o.key from execution_requests r
     cross join ${lookUp('projects', 'p', { of: 'r', id: 'project_id' })}
     cross join ${lookUp('missions', 'm', { of: 'r', id: 'mission_id' })}
     cross join ${lookUp('objectives', 'o', { of: 'r', id: 'objective_id' })}
     where r.workspace_id = ${runner.workspace_id} and r.runner_id = ${runner.id}
       and r.status <> 'queued' and ${where.live('r')}
     order by r.created_at limit ${named + 1}`.execute(tx)
  if (rows.length === 0) return
  const objectives = rows.map(({ slug, sequence, key }) => `${slug}:${sequence}.${key}`)
  const shown = objectives.slice(0, named).join(', ') + (rows.length > named ? ' and more' : '')
  throw new ServiceError(
    'runner_busy',
    `The runner ${runner.label} is at work on ${shown}. Stop it or wait until that is over, then remove it.`,
    { runnerId: runner.id, objectives: objectives.slice(0, named) },
    { next: { operation: 'listExecutionRequests', params: {} } },
  )
}
