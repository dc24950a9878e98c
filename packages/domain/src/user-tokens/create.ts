import { ServiceError } from '@svc/contracts/errors'
import { type Permission, type TokenPreset, presetPermissions } from '@svc/contracts/permissions'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { TokenAudience } from '@svc/contracts/user-token'
import type { Tx } from '@svc/db/database'
import type { UserTokenRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { unauthenticated } from '../access/authenticate.ts'
import { authorize } from '../access/authorize.ts'
import { newTokenSecret } from '../access/token-secret.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { newId } from '../common/ids.ts'
import type { KeyRing } from '../common/key-ring.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { mintedAs, viewUserToken } from './views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { settleReplaced } from './notify-of-end.ts'

/** Mints a token within what the caller's own credential allows. Its secret is in this answer and nowhere else. */
export async function createUserToken(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'createUserToken'>,
): Promise<RouteOutput<'createUserToken'>> {
  authorize(actor, 'own_token:create')
  const asked = input.permissions ?? presetPermissions[input.preset ?? 'read_only']
  const permissions = [...new Set(asked)]
  refuseIfBeyond(actor, input.preset, permissions)
  const audiences = input.audiences ?? [...actor.credential.audiences]
  refuseIfOtherAudience(actor, audiences)
  return inTransaction(
    context,
    async (tx) => {
      await lockMinter(tx, actor)
      for (const id of input.projectIds ?? []) {
        const project = await requireProject(tx, actor.workspaceId, id)
        authorize(actor, 'own_token:create', scopeOfProject(project, id))
      }
      const projectIds = input.projectIds ?? actor.credential.projectIds
      const { row, token } = await mintToken(tx, context.domain.keys, {
        workspaceId: actor.workspaceId,
        userId: actor.userId,
        label: input.label,
        preset: input.preset ?? null,
        permissions,
        projectIds: projectIds ? [...projectIds] : null,
        audiences,
        expiresInDays: input.expiresInDays,
        ...(actor.credential.kind === 'token' && { mintedBy: minterOf(actor) }),
      })
      const userToken = viewUserToken(row, permissions)
      recordAudit(tx, context, actor, mintedAs(userToken))
      return { userToken, token }
    },
    { secretAnswer: true },
  )
}

/**
 * Ending the minter, or the membership that it stands on, waits for what it mints now, and what comes after that mints
 * nothing.
 */
export async function lockMinter(
  tx: Tx,
  { workspaceId, userId, credential }: Actor,
): Promise<void> {
  const own =
    credential.kind === 'token'
      ? sql`select from user_tokens
             where workspace_id = ${workspaceId} and id = ${credential.id} and revoked_at is null
               for share`
      : sql`select from sign_ins where id = ${credential.id} and ended_at is null for share`
  const [minter, membership] = await Promise.all([
    own.execute(tx),
    sql`select from memberships
         where workspace_id = ${workspaceId} and user_id = ${userId} for share`.execute(tx),
  ])
  if (minter.rows.length === 0 || membership.rows.length === 0) throw unauthenticated()
}

/** A sign-in is no minter: what a person mints outlives the browser. */
function minterOf({ credential }: Actor): NonNullable<MintOrder['mintedBy']> {
  return { ...credential, objectiveId: credential.objective?.id ?? null }
}

/** A token mints only within itself. */
function refuseIfBeyond(
  actor: Actor,
  preset: TokenPreset | undefined,
  permissions: readonly Permission[],
): void {
  const { scope, projectIds, objective } = actor.credential
  if (scope === 'full' && projectIds === null && objective === null) return
  const beyond = permissions.find((permission) => !actor.permissions.has(permission))
  if (preset !== 'full' && beyond === undefined) return
  throw new ServiceError(
    'forbidden',
    `This token cannot mint one that may do more than itself (${beyond ?? 'full scope'}). Mint it with a full-scope token.`,
    { permission: beyond ?? 'full' },
  )
}

function refuseIfOtherAudience(actor: Actor, audiences: readonly TokenAudience[]): void {
  const beyond = audiences.find((audience) => !actor.credential.audiences.includes(audience))
  if (beyond === undefined) return
  throw new ServiceError(
    'forbidden',
    `This token is not for ${beyond}, so it cannot mint one that is. Mint it with a token for both audiences.`,
    { audience: beyond },
  )
}

export interface MintOrder {
  workspaceId: string
  userId: string
  label: string
  preset: TokenPreset | null
  permissions: readonly Permission[]
  projectIds: string[] | null
  audiences: TokenAudience[]
  expiresInDays: number
  /** The token that mints it: this one ends no later, and with it, and has its objective. */
  mintedBy?: { id: string; expiresAt: Date; objectiveId: string | null }
  /** 32 bytes that the secret is made of, for who must be able to make it again. */
  secret?: Buffer
}

/** For those who have checked the right: the use case above, and setting up a first owner. */
export async function mintToken(
  tx: UnitOfWork,
  keys: KeyRing,
  order: MintOrder,
): Promise<{ row: UserTokenRow; token: string }> {
  const token = newTokenSecret('minted', order.secret)
  const { kid, mac } = keys.mac('tokens', token)
  const scoped = order.preset !== 'full'
  const row = await tx
    .insertInto('user_tokens')
    .values({
      workspace_id: order.workspaceId,
      id: newId(),
      user_id: order.userId,
      kind: 'minted',
      preset: order.preset,
      scope_kind: scoped ? 'scoped' : 'full',
      audiences: order.audiences,
      project_ids: order.projectIds,
      token_hmac: mac,
      hmac_kid: kid,
      prefix: token.slice(0, 14),
      label: order.label,
      expires_at: sql<Date>`least(app.now() + make_interval(days => least(${order.expiresInDays},
                                    (select max_token_days from workspaces
                                      where id = ${order.workspaceId}))),
                                  ${order.mintedBy?.expiresAt ?? null}::timestamptz)`,
      objective_id: order.mintedBy?.objectiveId ?? null,
      parent_id: order.mintedBy?.id ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (scoped) await putPermissions(tx, row, order.permissions)
  if (row.objective_id === null) settleReplaced(tx, row)
  return { row, token }
}

/** Writes the permissions of a token that does not have the full scope. */
export async function putPermissions(
  tx: Tx,
  { workspace_id, id: token_id }: Pick<UserTokenRow, 'workspace_id' | 'id'>,
  permissions: readonly Permission[],
): Promise<void> {
  if (permissions.length === 0) return
  await tx
    .insertInto('user_token_scopes')
    .values([...new Set(permissions)].map((permission) => ({ workspace_id, token_id, permission })))
    .execute()
}
