import type { Permission } from '@svc/contracts/permissions'
import { type RawBuilder, sql } from 'kysely'
import { whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'

/** What of a kind is asked for. */
export interface Asked {
  actor: Actor
  whose: 'mine' | 'all'
  projectIds: readonly string[] | undefined
  /** The id of the last one that is known already. */
  after: string | undefined
  limit: number
}

export interface Source {
  /** Who lacks it is shown none of these. */
  readonly permission: Permission
  /** The ids in their order, by an index that holds what waits and little else. */
  readonly select: (asked: Asked) => RawBuilder<{ id: string }>
  /** Where a row holds long texts: how many bytes, of `page`, the ids that were found. */
  readonly bytes?: (actor: Actor) => RawBuilder<unknown>
}

interface Rows {
  permission: Permission
  from: RawBuilder<unknown>
  /** What is waited for, and in which workspace. */
  where: (actor: Actor) => RawBuilder<unknown>
  id: RawBuilder<unknown>
  /** Whom it concerns; left out: nobody in particular. */
  addressedTo?: RawBuilder<unknown>
  /** Left out: it is of no project. */
  scope?: Parameters<typeof whereVisibleTo>[1]
  bytes?: NonNullable<Source['bytes']>
}

export function sourceOf({ permission, where, scope, bytes, ...rows }: Rows): Source {
  return {
    permission,
    ...(bytes && { bytes }),
    select(asked) {
      const { actor, projectIds, after } = asked
      const conditions = [
        where(actor),
        ...(scope ? [whereVisibleTo(actor, scope)] : []),
        ...(projectIds === undefined ? [] : [isOfProject(scope, projectIds)]),
        ...(after === undefined ? [] : [sql`${rows.id} > ${after}`]),
      ]
      return selectOf(rows, conditions, asked)
    },
  }
}

function isOfProject(scope: Rows['scope'], projectIds: readonly string[]): RawBuilder<unknown> {
  return scope ? sql`${scope.projectId} = any(${projectIds}::uuid[])` : sql`false`
}

/** What concerns a person and what concerns nobody each by itself, since an index begins with that. */
function selectOf(
  { from, id, addressedTo = sql`null::uuid` }: Pick<Rows, 'from' | 'id' | 'addressedTo'>,
  conditions: readonly RawBuilder<unknown>[],
  { actor, whose, limit }: Asked,
): RawBuilder<{ id: string }> {
  const selects = isFor({ actor, whose }, addressedTo).map(
    (is) => sql`(select ${id} as id from ${from} where ${sql.join([...conditions, is], sql` and `)}
                  order by ${id} limit ${limit})`,
  )
  return sql<{ id: string }>`
    select id from (${sql.join(selects, sql` union all `)}) as found order by id limit ${limit}`
}

/** Conditions on whom something concerns, of which no row passes two. */
function isFor(
  { actor, whose }: Pick<Asked, 'actor' | 'whose'>,
  addressedTo: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  if (whose === 'all') return [sql`true`]
  const own = sql`${addressedTo} = ${actor.userId}`
  return takesWhatNobodyLaunched(actor) ? [own, sql`${addressedTo} is null`] : [own]
}

/** What nobody launched is the admins'. Decision 53. */
export function takesWhatNobodyLaunched({ role }: Actor): boolean {
  return role === 'owner' || role === 'admin'
}

export function isMine(actor: Actor, addressedTo: string | null): boolean {
  return addressedTo === null ? takesWhatNobodyLaunched(actor) : addressedTo === actor.userId
}
