import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize, isAllowed } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound, validationFailed } from '../common/errors.ts'
import { readCursor } from '../common/page.ts'
import { listStatuses, requireProject, scopeOfProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { loadCards } from './cards.ts'
import { countColumns, fillColumns } from './columns.ts'

/** A column is read from its newest end, and what a filter lets pass is found by what is open, or looked for there. */
export async function getBoard(
  { domain: { db } }: UseCase,
  actor: Actor,
  input: RouteInput<'getBoard'>,
): Promise<RouteOutput<'getBoard'>> {
  const project = await requireProject(db, actor.workspaceId, input.id)
  const scope = scopeOfProject(project, input.id)
  authorize(actor, 'mission:read', scope)
  const { statusId, statusTypes, cursor } = input
  if (cursor !== undefined && statusId === undefined) {
    throw validationFailed('cursor', 'name the column that it is of by statusId')
  }
  const all = await listStatuses(db, project)
  const statuses = all.filter(
    ({ id, type }) => (statusId ?? id) === id && (statusTypes?.includes(type) ?? true),
  )
  if (statusId !== undefined && !all.some(({ id }) => id === statusId)) {
    throw notFound('status', statusId)
  }
  const asked = { ...input, actor, project, statuses, before: readCursor(cursor) }
  const isWhole = [input.query, input.priority, input.badge].every((one) => one === undefined)
  const [columns, counts] = await Promise.all([
    fillColumns(db, asked),
    isWhole ? countColumns(db, asked) : undefined,
  ])
  const cards = await loadCards(db, {
    actor,
    project,
    ids: columns.flatMap(({ ids }) => ids),
    seesRunners: isAllowed(actor, 'project:read', scope),
  })
  return {
    project: { id: project.id, slug: project.slug, name: project.name },
    columns: columns.map(({ status: { id, type, label }, ids, nextCursor, ...found }) => {
      const { count, countsMore } = counts?.get(id) ?? found
      return {
        status: { id, type, label },
        count,
        countsMore,
        cards: ids.flatMap((one) => cards.get(one) ?? []),
        ...(nextCursor !== undefined && { nextCursor }),
      }
    }),
  }
}
