import { ServiceError, isServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { StatusType } from '@svc/contracts/states'
import type { Queryable, Tx } from '@svc/db/database'
import type { ProjectRow, ProjectStatusRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { recordAudit } from '../../audit/record.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { notFound, validationFailed } from '../../common/errors.ts'
import { moveDeletedMissions } from '../../lifecycle/move-deleted-missions.ts'
import { type UseCase, withoutKey } from '../../use-case.ts'
import { lockProject } from '../../entities/projects/lock-project.ts'
import { moveMissionsAway } from './move-missions-away.ts'
import { listStatuses, scopeOfProject, requireProject } from '../../entities/projects/queries.ts'
import { viewProject } from '../../entities/projects/views.ts'
import { refuseIfStatusesRevised, reviseStatuses } from './revise.ts'

type Input = RouteInput<'deleteProjectStatus'>

/** What the service moves missions to by itself; a project has one of each at least. */
const neededTypes: readonly StatusType[] = ['draft', 'execute', 'review']

/** How often it is looked again for missions that came to the status while those in it were moved. */
const rounds = 5

/**
 * Its missions go to `moveTo` first, each by a move like any other, a few in a transaction: whatever ends this early
 * leaves missions in one of the two statuses, and the call can be sent again.
 */
export async function deleteProjectStatus(
  context: UseCase,
  actor: Actor,
  input: Input,
): Promise<RouteOutput<'deleteProjectStatus'>> {
  const { db } = context.domain
  const project = await requireProject(db, actor.workspaceId, input.id)
  authorize(actor, 'project:update', scopeOfProject(project, input.id))
  let moved = 0
  for (let round = 1; ; round += 1) {
    const plan = await planDeletion(db, project, input)
    if (plan?.target) {
      const away = { from: plan.status, to: plan.target }
      moved += await moveMissionsAway(withoutKey(context), actor, away)
    }
    try {
      return await removeEmpty(context, actor, input, moved)
    } catch (error) {
      if (!plan?.target || round === rounds || !isInUse(error)) throw error
    }
  }
}

function isInUse(error: unknown): boolean {
  return isServiceError(error) && error.code === 'status_in_use'
}

async function removeEmpty(
  context: UseCase,
  actor: Actor,
  input: Input,
  moved: number,
): Promise<RouteOutput<'deleteProjectStatus'>> {
  return inTransaction(context, async (tx) => {
    const project = await lockProject(tx, actor.workspaceId, input.id)
    const found = await planDeletion(tx, project, input)
    if (!found) throw notFound('status', input.statusId)
    const { status, target } = found
    await refuseIfInUse(tx, project, found)
    await moveDeletedMissions(tx, status, (target ?? found.fallback).id)
    await removeStatus(tx, status)
    const revised = await reviseStatuses(tx, project, 'status', {
      statusId: status.id,
      deleted: true,
    })
    recordAudit(tx, context, actor, {
      action: 'status.deleted',
      targetId: status.id,
      projectId: project.id,
      details: { label: status.label, type: status.type, movedTo: target?.label ?? null, moved },
    })
    return { moved, project: viewProject(revised) }
  })
}

interface Plan {
  status: ProjectStatusRow
  target: ProjectStatusRow | undefined
  /** For missions that are deleted themselves. */
  fallback: ProjectStatusRow
}

/** Nothing where the status is gone: a call that is sent again has its answer under its key. */
async function planDeletion(
  db: Queryable,
  project: ProjectRow,
  { statusId, moveTo, expectedRevision }: Input,
): Promise<Plan | undefined> {
  const statuses = await listStatuses(db, project)
  const status = statuses.find(({ id }) => id === statusId)
  if (!status) return undefined
  refuseIfStatusesRevised(project, statuses, expectedRevision)
  const others = statuses.filter((one) => one !== status)
  const fallback = others.find(({ type }) => type === status.type) ?? others[0]
  if (!fallback || isLastNeeded(status, others)) throw lastOfItsType(status)
  const target = others.find(({ id }) => id === moveTo)
  if (moveTo === undefined || target) return { status, target, fallback }
  if (moveTo === statusId) throw validationFailed('moveTo', 'name another status')
  throw notFound('status', moveTo)
}

function isLastNeeded({ type }: ProjectStatusRow, others: readonly ProjectStatusRow[]): boolean {
  return neededTypes.includes(type) && others.every((other) => other.type !== type)
}

function lastOfItsType({ label, type }: ProjectStatusRow): ServiceError {
  return new ServiceError(
    'invalid_transition',
    `${label} is the project's last status of the type ${type}, to which missions are moved by what happens to them. Add another one of that type first.`,
    { type },
  )
}

async function refuseIfInUse(
  tx: Tx,
  { slug }: ProjectRow,
  { status, target }: Plan,
): Promise<void> {
  // in full: a mission that is being moved to it is waited for
  await sql`select from project_statuses
             where workspace_id = ${status.workspace_id} and id = ${status.id} for update`.execute(
    tx,
  )
  const { rows } = await sql`
    select from missions
     where workspace_id = ${status.workspace_id} and project_id = ${status.project_id}
       and status_id = ${status.id} and deleted_at is null limit 1`.execute(tx)
  if (rows.length === 0) return
  throw new ServiceError(
    'status_in_use',
    target
      ? `A mission came to ${status.label} meanwhile. Send the call again.`
      : `There are missions in ${status.label}. Say with moveTo which status they go to.`,
    { statusId: status.id },
    { next: { operation: 'listProjectStatuses', params: { id: slug } } },
  )
}

async function removeStatus(tx: Tx, status: ProjectStatusRow): Promise<void> {
  await tx
    .deleteFrom('project_statuses')
    .where('workspace_id', '=', status.workspace_id)
    .where('id', '=', status.id)
    .execute()
  await sql`
    update project_statuses set position = position - 1
     where workspace_id = ${status.workspace_id} and project_id = ${status.project_id}
       and position > ${status.position}`.execute(tx)
}
