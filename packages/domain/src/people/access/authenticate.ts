import { ServiceError } from '@svc/contracts/errors'
import { Uuid } from '@svc/contracts/ids'
import { rolePermissions } from '@svc/contracts/permissions'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { unauthenticated } from '../../access/authenticate.ts'
import type { Actor } from '../../common/actor.ts'
import { translate } from '../../common/database-failures.ts'
import type { Domain } from '../../domain.ts'
import type { Person } from '../../entities/people/person.ts'
import { signInsInForce } from '../sign-ins.ts'

/** Who a sign-in speaks for. Whatever is wrong with it is one `unauthenticated`. */
export async function authenticatePerson(
  domain: Domain,
  secret: string | undefined,
): Promise<Person> {
  const row = await find(domain, secret, (signIns) =>
    signIns.select([
      's.id',
      's.hmac_kid',
      's.user_id',
      's.expires_at',
      'u.name',
      'u.email',
      touchIsDue,
    ]),
  )
  const { id, expires_at: expiresAt } = row
  return {
    userId: row.user_id,
    userName: row.name,
    email: row.email,
    signIn: { id, expiresAt },
  }
}

/** The same person at work in one of their workspaces, by its id or slug; it counts as a token of full scope. */
export async function authenticateMember(
  domain: Domain,
  secret: string | undefined,
  workspace: string | undefined,
): Promise<Actor> {
  if (secret !== undefined && workspace === undefined) throw unnamedWorkspace()
  const row = await find(domain, secret, (signIns) =>
    signIns
      .innerJoin('memberships as m', 'm.user_id', 's.user_id')
      .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
      .where(Uuid.safeParse(workspace).success ? 'w.id' : 'w.slug', '=', workspace ?? '')
      .select([
        's.id',
        's.hmac_kid',
        's.user_id',
        's.expires_at',
        'u.name',
        'm.role',
        'm.workspace_id',
        touchIsDue,
      ]),
  )
  return memberActor(row)
}

/** The same caller as of now, for what lasts longer than a request. */
export function authenticateMemberAgain(db: Queryable, actor: Actor): Promise<Actor> {
  return actorIn(db, actor.credential.id, actor.workspaceId)
}

/** Somebody who is signed in, at work in a workspace by its id. */
export async function actorIn(
  db: Queryable,
  signInId: string,
  workspaceId: string,
): Promise<Actor> {
  const row = await signInsInForce(db)
    .innerJoin('memberships as m', 'm.user_id', 's.user_id')
    .where('s.id', '=', signInId)
    .where('m.workspace_id', '=', workspaceId)
    .select(['s.id', 's.user_id', 's.expires_at', 'u.name', 'm.role', 'm.workspace_id'])
    .executeTakeFirst()
    .catch(rethrow)
  if (!row) throw unauthenticated()
  return memberActor(row)
}

interface MemberRow extends Pick<SignInRow, 'id' | 'user_id'> {
  expires_at: Date
  name: string
  role: Actor['role']
  workspace_id: string
}

function memberActor(row: MemberRow): Actor {
  return {
    workspaceId: row.workspace_id,
    userId: row.user_id,
    userName: row.name,
    role: row.role,
    permissions: new Set(rolePermissions[row.role]),
    credential: {
      kind: 'sign_in',
      run: null,
      id: row.id,
      prefix: null,
      preset: 'full',
      scope: 'full',
      audiences: ['api', 'mcp'],
      projectIds: null,
      objective: null,
      expiresAt: row.expires_at,
    },
  }
}

interface SignInRow {
  id: string
  hmac_kid: string
  user_id: string
  touch: boolean
}

const touchIsDue = sql<boolean>`s.last_used_at < app.now() - interval '1 minute'`.as('touch')

async function find<Row extends SignInRow>(
  domain: Domain,
  secret: string | undefined,
  select: (signIns: ReturnType<typeof signInsInForce>) => {
    executeTakeFirst: () => Promise<Row | undefined>
  },
): Promise<Row> {
  if (secret === undefined) throw unauthenticated()
  const candidates = domain.keys.macs('sign-ins', secret).map(({ mac }) => mac)
  const found = signInsInForce(domain.db).where('s.secret_hmac', 'in', candidates)
  const row = await select(found).executeTakeFirst().catch(rethrow)
  if (!row) throw unauthenticated()
  const newest = domain.keys.mac('sign-ins', secret)
  if (row.touch || row.hmac_kid !== newest.kid) void touch(domain, row.id, newest)
  return row
}

function rethrow(error: unknown): never {
  throw translate(error)
}

/** At most once a minute, and apart from the request: a failure here must not fail the call. */
async function touch({ db, log }: Domain, id: string, { kid, mac }: { kid: string; mac: Buffer }) {
  await db
    .updateTable('sign_ins')
    .set({ last_used_at: sql<Date>`app.now()`, secret_hmac: mac, hmac_kid: kid })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => log.warn({ err: error }, 'last use of a sign-in was not noted'))
}

function unnamedWorkspace(): ServiceError {
  return new ServiceError(
    'validation_failed',
    'A signed-in browser says which workspace it means: send its id or slug as X-Svc-Workspace.',
  )
}
