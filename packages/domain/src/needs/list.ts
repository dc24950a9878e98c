import { limits } from '@svc/contracts/limits'
import { NeedCounts, NeedKind } from '@svc/contracts/need'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { gather } from '@svc/db/gather'
import { type RawBuilder, sql } from 'kysely'
import { authorize, holdsAnywhere } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { type Sized, readCursor, withinBytes } from '../common/page.ts'
import { projectsOfList } from '../entities/projects/of-list.ts'
import type { UseCase } from '../use-case.ts'
import { type Found, loadNeeds } from './load.ts'
import type { Asked } from './select-ids.ts'
import { sources } from './sources.ts'

/** What the questions of a page hold together: 200 of the longest would be 17 MiB. One alone is never cut. */
const questionBytes = 512 * 1024

/**
 * A statement for the ids and the counts, each by an index of what waits alone, and one or two for what is shown of a
 * page. A row that has gone in between is left out. A page ends early where its questions are long.
 */
export async function listNeeds(
  { domain: { db } }: UseCase,
  actor: Actor,
  input: RouteInput<'listNeeds'>,
): Promise<RouteOutput<'listNeeds'>> {
  authorize(actor, 'mission:read')
  const about = { actor, projectIds: await projectsOfList(db, actor, input.projectId) }
  const kinds = NeedKind.options.filter((kind) => holdsAnywhere(actor, sources[kind].permission))
  const read = await gather(db, {
    ...selectPage(kinds, { ...input, ...about }),
    ...selectCounts(kinds, about),
  })
  // each is under the name that it was asked for by
  const rows = read as Record<string, (IdRow & CountRow)[]>
  const { items, hasMore } = gatherPage(kinds, rows, input.limit)
  const last = items.at(-1)
  return {
    needs: await loadNeeds(db, actor, items),
    counts: countsOf(rows),
    ...(hasMore && last && { nextCursor: `${last.kind}/${last.id}` }),
  }
}

/** `found`: the rows of its kind that there were before those beyond the size were left out. */
interface IdRow extends Partial<Sized<object>> {
  id: string
}

/** Kind by kind; what comes after rows that were left out belongs to the next page. */
function gatherPage(
  kinds: readonly NeedKind[],
  rows: Readonly<Record<string, readonly IdRow[]>>,
  limit: number,
): { items: Found[]; hasMore: boolean } {
  const found: Found[] = []
  for (const kind of kinds) {
    const those = rows[kind] ?? []
    found.push(...those.map(({ id }) => ({ kind, id })))
    const endsEarly = (those[0]?.found ?? 0) > those.length
    if (endsEarly) return { items: found.slice(0, limit), hasMore: true }
  }
  return { items: found.slice(0, limit), hasMore: found.length > limit }
}

interface CountRow {
  count: number
}

type About = Pick<Asked, 'actor' | 'projectIds'>

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
      return [kind, selectKind(kind, { ...asked, after, limit: limit + 1 })]
    }),
  )
}

function selectKind(kind: NeedKind, asked: Asked): RawBuilder<IdRow> {
  const { select, bytes } = sources[kind]
  const rows = select(asked)
  if (bytes === undefined) return rows
  return withinBytes({ rows, bytes: bytes(asked.actor), order: sql`id`, most: questionBytes })
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
