import {
  type Permission,
  type Role,
  presetPermissions,
  rolePermissions,
} from '@svc/contracts/permissions'
import type { TokenAudience } from '@svc/contracts/user-token'
import type { Queryable } from '@svc/db/database'
import { compileOnce } from '@svc/db/compile-once'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { where } from '../states/states.ts'
import type { TokenOfRun } from './run-token.ts'

const finders = new Map<number, ReturnType<typeof compileFinder>>()

/** By its MAC under each of so many keys. */
export function findToken(keys: number): ReturnType<typeof compileFinder> {
  const known = finders.get(keys) ?? compileFinder(keys)
  finders.set(keys, known)
  return known
}

/**
 * Sent by every call of the service. A value for each key of the ring and no array of them: of an array the planner
 * expects ten rows, whatever it holds, and makes a plan for each call.
 */
const compileFinder = (keys: number) =>
  compileOnce<{ [key: number]: Buffer; audience: TokenAudience }, TokenRow>((db, values) => {
    const macs = sql.join(Array.from({ length: keys }, (_, n) => values[n]))
    return tokensInForce(db, { tokens: ofMacs(db, macs) })
      .where(sql<boolean>`${values.audience} = any(t.audiences)`)
      .compile()
  })

/**
 * By their MAC before anything else is asked of them: where a plan is made while there are few tokens, an index of those
 * in force looks as good, and would be read from end to end by every call.
 */
const ofMacs = (db: Queryable, macs: RawBuilder<unknown>) =>
  allTokens(db)
    .where(sql<boolean>`token_hmac in (${macs})`)
    .modifyEnd(sql`offset 0`)

export const findClaimer = compileOnce<TokenOfRun & { audience: TokenAudience }, TokenRow>(
  (db, values) =>
    claimersInForce(db, values)
      .where(sql<boolean>`${values.audience} = any(t.audiences)`)
      .compile(),
)

type Given<V> = { [Name in keyof V]: V[Name] | RawBuilder<V[Name]> }

/**
 * The token that claimed the run, bound to the objective of that, while nobody has claimed it since and its runner has
 * not reported its end. One that is held lost may come back until another is launched in its place. Decisions 25, 43.
 */
export function claimersInForce(
  db: Queryable,
  { workspaceId, requestId, generation, tokenId }: Given<TokenOfRun>,
) {
  const objectiveOfRun = sql<string>`(
    select r.objective_id from execution_requests r
     where r.workspace_id = ${workspaceId} and r.id = ${requestId} and r.generation = ${generation}
       and ${where.held('r')}
       and (r.outcome is distinct from 'lost' or not exists (
         select from execution_requests n
          where n.workspace_id = r.workspace_id and n.objective_id = r.objective_id and n.seq > r.seq)))`
  return tokensInForce(db, { objectiveId: objectiveOfRun })
    .where('t.workspace_id', '=', sql<string>`${workspaceId}`)
    .where('t.id', '=', sql<string>`${tokenId}`)
    .where('m.role', 'is not', null)
    .where('bound.id', 'is not', null)
    .where(isWithinItsProjects)
}

export type TokenRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof tokensInForce>['executeTakeFirst']>>
>

/** A token for an objective that is gone, or that lies outside of the token's projects, is good for nothing. */
const isWithinItsProjects = sql<boolean>`
  bound.project_id = any(coalesce(t.project_ids, array[bound.project_id]))`

/** What alone is left of a workspace that was deleted: all that an owner may do, in the hands of an owner. */
const restores = sql<boolean>`h.role = 'owner' and t.scope_kind = 'full'
  and t.project_ids is null and t.objective_id is null`

const allTokens = (db: Queryable) => db.selectFrom('user_tokens').selectAll()

interface Asked {
  tokens?: ReturnType<typeof allTokens>
  objectiveId?: RawBuilder<string | null>
}

/** One objective, by both halves of its key: in a young workspace the first one alone would look as good. */
const boundTo = (db: Queryable, objectiveId: RawBuilder<string | null>) =>
  db
    .selectFrom('objectives as o')
    .innerJoin('missions as om', (join) =>
      join.onRef('om.workspace_id', '=', 'o.workspace_id').onRef('om.id', '=', 'o.mission_id'),
    )
    .select(['om.project_id', 'o.mission_id', 'o.id'])
    .where('o.workspace_id', '=', sql.ref<string>('t.workspace_id'))
    .where(sql<boolean>`o.id = ${objectiveId}`)
    .modifyEnd(sql`offset 0`)

/** Neither expired nor revoked, of members who are not disabled; with what they may, and the objective they are for. */
export function tokensInForce(
  db: Queryable,
  { tokens = allTokens(db), objectiveId = sql.ref<string | null>('t.objective_id') }: Asked = {},
) {
  return db
    .selectFrom(tokens.as('t'))
    .innerJoin('users as u', 'u.id', 't.user_id')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.workspace_id', '=', 't.workspace_id').onRef('m.user_id', '=', 't.user_id'),
    )
    .leftJoin('held_memberships as h', (join) =>
      join.onRef('h.workspace_id', '=', 't.workspace_id').onRef('h.user_id', '=', 't.user_id'),
    )
    .leftJoinLateral(boundTo(db, objectiveId).as('bound'), (join) => join.onTrue())
    .select([
      't.workspace_id',
      't.id',
      't.user_id',
      't.prefix',
      't.preset',
      't.scope_kind',
      't.audiences',
      't.project_ids',
      'bound.project_id as bound_project_id',
      'bound.mission_id as bound_mission_id',
      'bound.id as bound_objective_id',
      't.expires_at',
      't.hmac_kid',
      'u.name as user_name',
      sql<Role>`coalesce(m.role, h.role)`.as('role'),
      sql<boolean>`m.role is null`.as('is_of_deleted'),
      sql<boolean>`t.last_used_at is null or t.last_used_at < app.now() - interval '1 minute'`.as(
        'touch',
      ),
      sql<Permission[]>`coalesce((select array_agg(s.permission) from user_token_scopes s
         where s.workspace_id = t.workspace_id and s.token_id = t.id), '{}')`.as('scopes'),
    ])
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', sql<Date>`app.now()`)
    .where('u.disabled_at', 'is', null)
    .where((where) => where.or([where('m.role', 'is not', null), restores]))
    .where((where) => where.or([where('t.objective_id', 'is', null), isWithinItsProjects]))
}

const onlyRestoring: ReadonlySet<Permission> = new Set(['workspace:delete'])

/** Role and scope meet here; a scoped token without scopes may do nothing. */
export function toActor(row: TokenRow): Actor {
  const { bound_project_id: projectId, bound_mission_id: missionId, bound_objective_id: id } = row
  const scope = new Set(row.scope_kind === 'full' ? presetPermissions.full : row.scopes)
  return {
    workspaceId: row.workspace_id,
    userId: row.user_id,
    userName: row.user_name,
    role: row.role,
    permissions: row.is_of_deleted
      ? onlyRestoring
      : new Set(rolePermissions[row.role].filter((one) => scope.has(one))),
    ...(row.is_of_deleted && { isOfDeleted: true }),
    credential: {
      kind: 'token',
      id: row.id,
      run: null,
      prefix: row.prefix,
      preset: row.preset,
      scope: row.scope_kind,
      // written from this vocabulary alone
      audiences: row.audiences as TokenAudience[],
      projectIds: projectId === null ? row.project_ids : [projectId],
      objective: id !== null && missionId !== null ? { id, missionId } : null,
      expiresAt: row.expires_at,
    },
  }
}

/** What an agent may do anywhere, as far as the token may that claimed its run. */
const ofAgents: ReadonlySet<Permission> = new Set(presetPermissions.mission_lifecycle)

export function toActorOfRun(
  row: TokenRow,
  { requestId, generation }: TokenOfRun,
  prefix: string | null,
): Actor {
  const claimer = toActor(row)
  return {
    ...claimer,
    permissions: new Set([...claimer.permissions].filter((one) => ofAgents.has(one))),
    credential: {
      ...claimer.credential,
      kind: 'run',
      run: { requestId, generation },
      prefix,
      preset: null,
      scope: 'scoped',
    },
  }
}
