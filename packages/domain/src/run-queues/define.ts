import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ProjectRow, RunQueueRow } from '@svc/db/tables'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound, validationFailed } from '../common/errors.ts'
import { lockProject } from '../entities/projects/lock-project.ts'
import { scopeOfProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { authorizeDefinition, scopeOfQueue, seeQueues } from '../entities/run-queues/access.ts'
import {
  insertQueue,
  listQueueRows,
  lockQueues,
  recordQueueChange,
  requireLockedQueue,
  requireQueueRow,
  saveQueue,
} from './queries.ts'
import { type Queue, unpause, inFlight, pauseBy, place } from '../entities/run-queues/queue.ts'
import { viewAlone, viewQueues } from '../entities/run-queues/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { settleNotices } from '../notifications/settle.ts'

export async function createRunQueue(
  context: UseCase,
  actor: Actor,
  { id, name }: RouteInput<'createRunQueue'>,
): Promise<RouteOutput<'createRunQueue'>> {
  return inTransaction(context, async (tx) => {
    const project = await lockProject(tx, actor.workspaceId, id)
    authorizeDefinition(actor, scopeOfProject(project, id))
    const rows = await listQueueRows(tx, project)
    refuseIfTaken(rows, name)
    const { length } = rows
    if (length >= limits.queuesPerProject) {
      throw validationFailed('name', `a project has at most ${limits.queuesPerProject} queues`)
    }
    const order = { name, position: length + 1, createdBy: actor.userId }
    const row = await insertQueue(tx, project, order)
    recordQueueChange(tx, row, 'create')
    return { queue: await viewAlone(tx, actor, row) }
  })
}

function refuseIfTaken(rows: readonly RunQueueRow[], name: string): void {
  if (!rows.some((row) => row.name.toLowerCase() === name.toLowerCase())) return
  throw new ServiceError(
    'already_exists',
    `The project has a queue ${name} already. Use it, or choose another name.`,
    { name },
  )
}

/** Another name, or a pause that begins or ends. */
export async function updateRunQueue(
  context: UseCase,
  actor: Actor,
  input: { id: string; name?: string | undefined; paused?: boolean | undefined },
): Promise<RouteOutput<'updateRunQueue'>> {
  const { id, name, paused } = input
  return inTransaction(context, async (tx) => {
    const { project_id: projectId } = await requireQueueRow(tx, actor.workspaceId, id)
    const project = await lockProject(tx, actor.workspaceId, projectId)
    const queue = await requireLockedQueue(tx, actor.workspaceId, id)
    authorizeDefinition(actor, scopeOfQueue(queue.row))
    if (name !== undefined) {
      const others = (await listQueueRows(tx, project)).filter((row) => row.id !== id)
      refuseIfTaken(others, name)
    }
    const named = { ...queue, row: { ...queue.row, name: name ?? queue.row.name } }
    const { row } = await saveQueue(tx, queue, turn(named, actor, paused), 'update')
    return { queue: await viewAlone(tx, actor, row) }
  })
}

function turn(queue: Queue, actor: Actor, paused: boolean | undefined): Queue {
  if (paused === undefined) return queue
  return paused ? pauseBy(queue, actor.userId) : unpause(queue)
}

/** Its entries go to the end of another one, in their order. */
export async function deleteRunQueue(
  context: UseCase,
  actor: Actor,
  { id, moveEntriesTo }: RouteInput<'deleteRunQueue'>,
): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    const { project_id: projectId } = await requireQueueRow(tx, actor.workspaceId, id)
    const project = await lockProject(tx, actor.workspaceId, projectId)
    const ids = moveEntriesTo === undefined ? [id] : [id, moveEntriesTo]
    const queues = await lockQueues(tx, actor.workspaceId, ids)
    const going = queues.get(id)
    if (!going) throw notFound('run queue', id)
    authorizeDefinition(actor, scopeOfQueue(going.row))
    refuseIfDefault(going)
    const target = moveEntriesTo === id ? undefined : queues.get(moveEntriesTo ?? '')
    if (moveEntriesTo !== undefined && target?.row.project_id !== projectId) {
      throw notFound('run queue', moveEntriesTo)
    }
    if (inFlight(going)) throw queueBusy(going)
    if (going.entries.length > 0) await moveAll(tx, going, target)
    await tx
      .deleteFrom('run_queues')
      .where('workspace_id', '=', actor.workspaceId)
      .where('id', '=', id)
      .execute()
    settleNotices(tx, ['queue_paused'], actor.workspaceId, [id])
    recordQueueChange(tx, going.row, 'delete')
    await renumber(tx, await listQueueRows(tx, project))
    return undefined
  })
}

function refuseIfDefault({ row }: Queue): void {
  if (!row.is_default) return
  throw new ServiceError(
    'default_queue',
    `${row.name} is the project's default queue: it is always there, and always first.`,
  )
}

export function queueBusy(queue: Queue): ServiceError {
  const entry = inFlight(queue)
  return new ServiceError(
    'queue_busy',
    `An entry of the queue ${queue.row.name} is ${entry?.state ?? 'running'}. It launches no other before that run has ended.`,
    { entryId: entry?.id ?? null, executionRequestId: entry?.execution_request_id ?? null },
    seeQueues(queue),
  )
}

async function moveAll(tx: UnitOfWork, going: Queue, target: Queue | undefined): Promise<void> {
  if (!target) {
    throw new ServiceError(
      'queue_not_empty',
      `The queue ${going.row.name} has ${going.entries.length} entries. Say which queue they go to, or remove them first.`,
      { entries: going.entries.length },
      seeQueues(going),
    )
  }
  refuseIfFull(target, going.entries.length)
  const moved = going.entries.reduce(
    (queue, entry) => place(queue, { ...entry, run_queue_id: target.row.id }, 'last'),
    target,
  )
  await saveQueue(tx, going, { ...going, entries: [] }, 'delete')
  await saveQueue(tx, target, moved, 'move')
}

export function refuseIfFull({ entries, row }: Queue, more: number): void {
  if (entries.length + more <= limits.entriesPerQueue) return
  throw validationFailed('queue', `${row.name} takes at most ${limits.entriesPerQueue} entries`)
}

/** The default one stays first. */
export async function orderRunQueues(
  context: UseCase,
  actor: Actor,
  { id, queueIds }: RouteInput<'orderRunQueues'>,
): Promise<RouteOutput<'orderRunQueues'>> {
  return inTransaction(context, async (tx) => {
    const project = await lockProject(tx, actor.workspaceId, id)
    authorizeDefinition(actor, scopeOfProject(project, id))
    const rows = await listQueueRows(tx, project)
    const wanted = new Set(queueIds)
    const unknown = queueIds.find((one) => !rows.some((row) => row.id === one))
    if (unknown !== undefined) throw notFound('run queue', unknown)
    if (wanted.size < rows.length || queueIds[0] !== rows[0]?.id) throw wrongOrder(project, rows)
    const ordered = [...wanted].flatMap((one) => rows.find((row) => row.id === one) ?? [])
    await renumber(tx, ordered)
    const after = await listQueueRows(tx, project)
    const queues = await viewQueues(tx, actor, after)
    return { queues: queues.map(({ entries: _left, ...queue }) => queue) }
  })
}

function wrongOrder({ slug }: ProjectRow, rows: readonly RunQueueRow[]): ServiceError {
  return new ServiceError(
    'order_conflict',
    'The order must name every queue exactly once, the default one first. Read the queues again, then repeat.',
    { currentOrder: rows.map((row) => row.id) },
    seeQueues({ project: slug }),
  )
}

async function renumber(tx: UnitOfWork, rows: readonly RunQueueRow[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (row.position === index + 1) continue
    await tx
      .updateTable('run_queues')
      .set({ position: index + 1, revision: row.revision + 1 })
      .where('workspace_id', '=', row.workspace_id)
      .where('id', '=', row.id)
      .execute()
    recordQueueChange(tx, { ...row, revision: row.revision + 1 }, 'order')
  }
}
