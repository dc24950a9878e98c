import type { Tx } from '@svc/db/database'
import type { UserTokenRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { type Notice, insertingNotices } from '../notifications/tell-admins.ts'

const batch = 100
const daysBefore = 7

/** Whose token ends within a week is told of it once; the warning goes when the token does, or has a successor. */
export async function tellOfEndingTokens(domain: Domain): Promise<void> {
  await inTransaction({ domain }, forgetEnded)
  for (;;) {
    const told = await inTransaction({ domain }, tellSome)
    if (told < batch) return
  }
}

type Ending = Pick<
  UserTokenRow,
  'workspace_id' | 'id' | 'user_id' | 'label' | 'preset' | 'expires_at'
>

/**
 * Locked, so that revoking one waits and then finds the warning. One that never lasted longer than that is none to be
 * warned of, and what another one minted for as long as it lasts itself ends with that. The offsets make of each question one look-up a token.
 */
async function tellSome(tx: Tx): Promise<number> {
  const { rows } = await sql<Ending>`
    select t.workspace_id, t.id, t.user_id, t.label, t.preset, t.expires_at
      from user_tokens t
      join memberships m on m.workspace_id = t.workspace_id and m.user_id = t.user_id
      join users u on u.id = t.user_id and u.disabled_at is null
     where t.revoked_at is null and t.kind = 'minted' and t.objective_id is null
       and t.expires_at > app.now()
       and t.expires_at <= app.now() + make_interval(days => ${daysBefore})
       and t.created_at < t.expires_at - make_interval(days => ${daysBefore})
       and not exists (select from user_tokens p
                        where p.workspace_id = t.workspace_id and p.id = t.parent_id
                          and p.expires_at < t.expires_at + interval '1 second' offset 0)
       and not exists (select from user_tokens n
                        where n.workspace_id = t.workspace_id and n.user_id = t.user_id
                          and n.label = t.label and n.revoked_at is null and n.kind = 'minted'
                          and n.objective_id is null and n.expires_at > t.expires_at offset 0)
       and not exists (select from notifications n
                        where n.workspace_id = t.workspace_id and n.user_id = t.user_id
                          and n.key = 'token_ends:' || t.id offset 0)
     order by t.expires_at limit ${batch} for share of t skip locked`.execute(tx)
  for (const row of rows) {
    await insertingNotices(tx, row.workspace_id, [row.user_id], noticeOf(row)).execute()
  }
  return rows.length
}

function noticeOf({ id, label, preset, expires_at: endsAt }: Ending): Notice {
  return {
    kind: 'token_ends',
    key: `token_ends:${id}`,
    title: `The token ${label} ends on ${endsAt.toISOString().slice(0, 10)}`,
    link: '/account',
    subject_id: id,
    next: { operation: 'createUserToken', params: { label, ...(preset !== null && { preset }) } },
  }
}

async function forgetEnded(tx: Tx): Promise<void> {
  await sql`
    update notifications n set read_at = app.now()
     where n.read_at is null and n.kind = 'token_ends'
       and exists (select from user_tokens t
                    where t.workspace_id = n.workspace_id and t.id = n.subject_id
                      and t.expires_at <= app.now() offset 0)`.execute(tx)
}
