import { limits } from '@svc/contracts/limits'
import { NeedCounts, NeedKind } from '@svc/contracts/need'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { gather } from '@svc/db/gather'
import { type RawBuilder, sql } from 'kysely'
import { authorize, holdsAnywhere } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { pageOf, readCursor } from '../common/page.ts'
import { requireProject, scopeOfProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { type Found, loadNeeds } from './load.ts'
import type { Asked } from './select-ids.ts'
import { sources } from './sources.ts'

/**
 * A statement for the ids and the counts, each by an index of what waits alone, and one or two for what is shown of a
 * page. A row that has gone in between is left out.
 */
export async function listNeeds(
  { domain: { db } }: UseCase,
  actor: Actor,
  input: RouteInput<'listNeeds'>,
): Promise<RouteOutput<'listNeeds'>> {
  authorize(actor, 'mission:read')
  const project = input.projectId
    ? await requireProject(db, actor.workspaceId, input.projectId)
    : undefined
  if (project && input.projectId) {
    authorize(actor, 'mission:read', scopeOfProject(project, input.projectId))
  }
  const about = { actor, projectId: project?.id }
  const kinds = NeedKind.options.filter((kind) => holdsAnywhere(actor, sources[kind].permission))
  const read = await gather(db, {
    ...selectPage(kinds, { ...input, ...about }),
    ...selectCounts(kinds, about),
  })
  // each is under the name that it was asked for by
  const rows = read as Record<string, (IdRow & CountRow)[]>
  const found = kinds.flatMap((kind) => (rows[kind] ?? []).map(({ id }): Found => ({ kind, id })))
  const { items, nextCursor } = pageOf(found, input.limit, ({ kind, id }) => `${kind}/${id}`)
  return { needs: await loadNeeds(db, actor, items), counts: countsOf(rows), ...nextCursor }
}

interface IdRow {
  id: string
}

interface CountRow {
  count: number
}

type About = Pick<Asked, 'actor' | 'projectId'>

/** Kind by kind from where the page before has ended, and one more than a page holds. */
function selectPage(
  kinds: readonly NeedKind[],
  { cursor, limit, ...asked }: About & RouteInput<'listNeeds'>,
): Record<string, RawBuilder<IdRow>> {
  const at = readPosition(cursor)
  const left = at ? kinds.filter((kind) => rankOf(kind) >= rankOf(at.kind)) : kinds
  return Object.fromEntries(
    left.map((kind) => {
      const after = kind === at?.kind ? at.id : undefined
      return [kind, sources[kind].select({ ...asked, after, limit: limit + 1 })]
    }),
  )
}

function rankOf(kind: NeedKind): number {
  return NeedKind.options.indexOf(kind)
}

function readPosition(cursor: string | undefined): Found | undefined {
  if (cursor === undefined) return undefined
  const [name, ...rest] = cursor.split('/')
  const kind = NeedKind.safeParse(name)
  const id = readCursor(rest.join('/'))
  if (!kind.success || id === undefined) {
    throw validationFailed('cursor', 'use the nextCursor of the page before')
  }
  return { kind: kind.data, id }
}

const everybody = ['mine', 'all'] as const

function selectCounts(
  kinds: readonly NeedKind[],
  about: About,
): Record<string, RawBuilder<CountRow>> {
  return Object.fromEntries(
    kinds.flatMap((kind) =>
      everybody.map((whose) => {
        const asked = { ...about, whose, after: undefined, limit: limits.countedNeeds }
        const counted = sql<CountRow>`
          select count(*)::int as count from (${sources[kind].select(asked)}) as counted`
        return [`${kind} ${whose}`, counted]
      }),
    ),
  )
}

/** Of what is not shown there is none. */
function countsOf(rows: Readonly<Record<string, readonly CountRow[]>>): NeedCounts {
  const countOf = (name: string) => rows[name]?.[0]?.count ?? 0
  const counts = NeedKind.options.map((kind) => [
    kind,
    { mine: countOf(`${kind} mine`), all: countOf(`${kind} all`) },
  ])
  return NeedCounts.parse(Object.fromEntries(counts))
}
