import { appPages } from '@svc/contracts/links'
import type { NextStep } from '@svc/contracts/next-step'
import type { Tx } from '@svc/db/database'
import type { UserTokenRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { type Notice, insertingNotices } from '../notifications/notify-admins.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { settleWhere } from '../notifications/settle.ts'

const batch = 100
const daysBefore = 7

/** Whoever has a token that ends within a week is notified once; the warning goes when the token does, or has a successor. */
export async function notifyOfEndingTokens(domain: Domain): Promise<void> {
  await inTransaction({ domain }, settleEnded)
  for (const ending of [endingMinted, endingOfApplications]) {
    for (;;) {
      const notified = await inTransaction({ domain }, (tx) => notifySome(tx, ending))
      if (notified < batch) break
    }
  }
}

type Ending = Pick<
  UserTokenRow,
  'workspace_id' | 'id' | 'user_id' | 'kind' | 'label' | 'preset' | 'expires_at'
>

const tokensOfMembers = sql`
  select t.workspace_id, t.id, t.user_id, t.kind, t.label, t.preset, t.expires_at
    from user_tokens t
    join memberships m on m.workspace_id = t.workspace_id and m.user_id = t.user_id
    join users u on u.id = t.user_id and u.disabled_at is null`

/** One that never lasted longer than that is none to be warned of. The offsets make of each question one look-up a token. */
const endsSoon = sql`
  t.revoked_at is null and t.expires_at > app.now()
  and t.expires_at <= app.now() + make_interval(days => ${daysBefore})
  and t.created_at < t.expires_at - make_interval(days => ${daysBefore})`

const isUnnotified = sql`
  not exists (select from notifications n
               where n.workspace_id = t.workspace_id and n.user_id = t.user_id
                 and n.key = 'token_ends:' || t.id offset 0)`

/** What another one minted for as long as it lasts itself ends with that. */
const isLastMinted = sql`t.kind = 'minted' and t.objective_id is null
  and not exists (select from user_tokens p
                   where p.workspace_id = t.workspace_id and p.id = t.parent_id
                     and p.expires_at < t.expires_at + interval '1 second' offset 0)
  and not exists (select from user_tokens n
                   where n.workspace_id = t.workspace_id and n.user_id = t.user_id
                     and n.label = t.label and n.revoked_at is null and n.kind = 'minted'
                     and n.objective_id is null and n.expires_at > t.expires_at offset 0)`

const isLastOfApplication = sql`t.kind = 'oauth'
  and not exists (select from user_tokens n
                   where n.workspace_id = t.workspace_id and n.user_id = t.user_id
                     and n.kind = 'oauth' and n.client_id = t.client_id
                     and n.revoked_at is null and n.expires_at > t.expires_at offset 0)`

/** Of `t`, the tokens of one workspace: its person will need another one soon. */
export const isEnding = sql<boolean>`(
  ${endsSoon} and t.objective_id is null and t.expires_at >= '-infinity' and (${isLastMinted} or ${isLastOfApplication})
  and exists (select from memberships m join users u on u.id = m.user_id and u.disabled_at is null
               where m.workspace_id = t.workspace_id and m.user_id = t.user_id offset 0))`

const endingMinted = sql<Ending>`
  ${tokensOfMembers} where ${endsSoon} and ${isUnnotified} and ${isLastMinted}`

const endingOfApplications = sql<Ending>`
  ${tokensOfMembers} where ${endsSoon} and ${isUnnotified} and ${isLastOfApplication}`

/** Since when it is said that the token ends. */
export function endsSoonSince({ expires_at: end }: Pick<UserTokenRow, 'expires_at'>): Date {
  return new Date(end.getTime() - daysBefore * 86_400_000)
}

/** Locks the tokens: whoever revokes one waits, and then settles its warning. */
async function notifySome(tx: Tx, ending: RawBuilder<Ending>): Promise<number> {
  const { rows } = await sql<Ending>`
    ${ending} order by t.expires_at limit ${batch} for share of t skip locked`.execute(tx)
  for (const row of rows) {
    await insertingNotices(tx, row.workspace_id, [row.user_id], noticeOf(row)).execute()
  }
  return rows.length
}

function noticeOf({ expires_at: endsAt, ...token }: Ending): Notice {
  const { id, kind, label } = token
  const day = endsAt.toISOString().slice(0, 10)
  const title =
    kind === 'oauth'
      ? `The access of ${label} ends on ${day}: connect it again from there`
      : `The token ${label} ends on ${day}`
  const notice = { kind: 'token_ends', key: `token_ends:${id}`, subject_id: id }
  return { ...notice, title, page: appPages.tokens(), next: renewStep(token) }
}

/** What its person does before it ends. */
export function renewStep({
  kind,
  label,
  preset,
}: Pick<UserTokenRow, 'kind' | 'label' | 'preset'>): NextStep {
  if (kind === 'oauth') return { operation: 'listConnectedApplications', params: {} }
  const params = { label, ...(preset !== null && { preset }) }
  return { operation: 'createUserToken', params }
}

type Renewed = Pick<UserTokenRow, 'workspace_id' | 'user_id' | 'client_id' | 'expires_at'>

/** Whoever has connected an application again need not be notified that its earlier token ends. */
export async function settleRenewed(
  tx: Tx,
  { workspace_id: workspaceId, user_id: userId, client_id: clientId, expires_at: end }: Renewed,
): Promise<void> {
  await sql`
    update notifications n set read_at = app.now()
     where n.workspace_id = ${workspaceId} and n.user_id = ${userId} and n.read_at is null
       and exists (select from user_tokens t
                    where t.workspace_id = n.workspace_id and t.id = n.subject_id
                      and t.kind = 'oauth' and t.client_id = ${clientId} and t.expires_at < ${end}
                   offset 0)`.execute(tx)
}

/** Whoever mints one that is called the same and lasts longer has renewed it. */
export function settleReplaced(
  tx: UnitOfWork,
  {
    workspace_id,
    id,
    user_id,
    label,
  }: Pick<UserTokenRow, 'workspace_id' | 'id' | 'user_id' | 'label'>,
): void {
  settleWhere(
    tx,
    workspace_id,
    sql`kind = 'token_ends' and subject_id = any(array(
          select t.id from user_tokens t
           where t.workspace_id = ${workspace_id} and t.user_id = ${user_id} and t.label = ${label}
             and t.revoked_at is null and t.kind = 'minted' and t.objective_id is null
             and t.expires_at < (select made.expires_at from user_tokens made
                                  where made.workspace_id = ${workspace_id} and made.id = ${id})))`,
  )
}

async function settleEnded(tx: Tx): Promise<void> {
  await sql`
    update notifications n set read_at = app.now()
     where n.read_at is null and n.kind = 'token_ends'
       and exists (select from user_tokens t
                    where t.workspace_id = n.workspace_id and t.id = n.subject_id
                      and t.expires_at <= app.now() offset 0)`.execute(tx)
}
