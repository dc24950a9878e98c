import { countBlocked } from '@svc/testing/locks'
import { verifies } from '@svc/testing/verifies'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import {
  type Flow,
  type Place,
  approvedCode,
  ask,
  callMcp,
  exchange,
  exchangeFields,
  proofKey,
  startFlow,
  test,
  tokenFor,
} from './place.ts'

/** Somebody has approved: what remains is the exchange. */
async function approved(place: Place): Promise<{ flow: Flow; code: string }> {
  const flow = await startFlow(place)
  return { flow, code: await approvedCode(place, flow) }
}

describe('a code', () => {
  test(
    verifies('oauth.code-once', 'tried by sixteen at once gives one of them a token'),
    async ({ place }) => {
      for (let round = 0; round < 3; round += 1) {
        const { flow, code } = await approved(place)
        const tries = Array.from({ length: 16 }, () => exchange(place, flow, code))
        const answers = await Promise.all(tries)
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        const others = answers.filter(({ status }) => status !== 200)
        expect(new Set(others.map(({ body }) => body['error']))).toEqual(new Set(['invalid_grant']))
      }
    },
  )

  test('used a second time takes away what the first use gave', async ({ place }) => {
    const { flow, code } = await approved(place)
    const { body } = await exchange(place, flow, code)
    const token = String(body['access_token'])
    expect((await callMcp(place, token)).status).toBe(200)
    expect((await exchange(place, flow, code)).status).toBe(400)
    expect((await callMcp(place, token)).status).toBe(401)
    expect((await exchange(place, flow, code)).status).toBe(400)
    const { alice } = place.world
    const { entries } = await alice.call('listAudit', { limit: 2 })
    const { userId } = await alice.actor()
    expect(entries).toMatchObject([
      {
        action: 'token.revoked',
        actor: null,
        from: '127.0.0.1',
        details: { label: 'Agent', prefix: token.slice(0, 14), userId, reason: 'code_replayed' },
      },
      { action: 'grant.approved' },
    ])
  })

  test(verifies('oauth.pkce', 'is burnt by a verifier that is not its own'), async ({ place }) => {
    const short = 'a'.repeat(42)
    for (const code_verifier of ['', proofKey().verifier, short, 'a'.repeat(129), 'ä'.repeat(43)]) {
      const { flow, code } = await approved(place)
      const wrong = await exchange(place, flow, code, { code_verifier })
      expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect(await exchange(place, flow, code)).toMatchObject({ status: 400 })
    }
  })

  test(
    verifies('error.invalid-target-exchange', 'is burnt by a resource that is another'),
    async ({ place }) => {
      const { flow, code } = await approved(place)
      const wrong = await exchange(place, flow, code, { resource: `${place.resource}/` })
      expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
      const again = await exchange(place, flow, code)
      expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect(await activeGrants(place)).toBe(0)
    },
  )

  test(
    verifies(
      ['oauth.resource-exchange', 'error.invalid-target-exchange'],
      'that was approved for another address is good for nothing here, whatever is asked for',
    ),
    async ({ place }) => {
      const before = await activeGrants(place)
      const elsewhere = 'https://elsewhere.example/mcp'
      for (const asked of [{}, { resource: place.resource }, { resource: elsewhere }]) {
        const { flow, code } = await approved(place)
        await place.world.domain.db
          .updateTable('oauth_requests')
          .set({ resource: elsewhere })
          .where('code_challenge', '=', flow.asked['code_challenge'] ?? '')
          .execute()
        const wrong = await exchange(place, flow, code, asked)
        expect([asked, wrong]).toMatchObject([
          asked,
          { status: 400, body: { error: 'invalid_target' } },
        ])
      }
      expect(await activeGrants(place)).toBe(before)
    },
  )

  test('is kept from whoever names another client or address, and not burnt by it', async ({
    place,
  }) => {
    const { flow, code } = await approved(place)
    const other = await place.postJson('/oauth/register', {
      client_name: 'Other',
      redirect_uris: [flow.redirectUri],
    })
    const { client_id } = (await other.json()) as { client_id: string } // a registration's answer
    for (const changes of [{ client_id }, { redirect_uri: `${flow.redirectUri}/` }]) {
      const wrong = await exchange(place, flow, code, changes)
      expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    }
    expect((await exchange(place, flow, code)).status).toBe(200)
  })

  test('of one flow is of no use to another', async ({ place }) => {
    const { code } = await approved(place)
    const other = await startFlow(place)
    const swapped = await exchange(place, other, code)
    expect(swapped).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('shows nobody what is wrong with it', async ({ place }) => {
    const used = await approved(place)
    await exchange(place, used.flow, used.code)
    const expired = await approved(place)
    await place.world.advance(2 * 60 + 1)
    const fresh = await approved(place)
    const { flow, code } = fresh
    const answers = [
      await exchange(place, flow, 'made up'),
      await exchange(place, used.flow, used.code),
      await exchange(place, expired.flow, expired.code),
      await exchange(place, flow, code, { redirect_uri: 'https://elsewhere.example/' }),
      await exchange(place, flow, code, { code_verifier: proofKey().verifier }),
      await exchange(place, flow, code),
    ]
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('that nobody fetches gives nobody anything, and nothing of it stays', async ({ place }) => {
    const { db } = place.world.domain
    const before = await activeGrants(place)
    const { flow, code } = await approved(place)
    expect(await activeGrants(place)).toBe(before)
    const pending = await db
      .selectFrom('user_tokens')
      .select('id')
      .where('token_hmac', 'is', null)
      .executeTakeFirst()
    expect(pending).toBeDefined()
    await place.world.advance(2 * 60 + 1)
    expect((await exchange(place, flow, code)).status).toBe(400)
    expect(await activeGrants(place)).toBe(before)
  })

  test('of a person who was removed in between is worth nothing', async ({ place }) => {
    const { world } = place
    const person = await world.person('member')
    const flow = await startFlow(place)
    const code = await approvedCode(place, flow, { person })
    await sql`delete from memberships where user_id = ${person.userId}`.execute(world.domain.db)
    expect(await exchange(place, flow, code)).toMatchObject({ status: 400 })
  })
})

test('neither a code, nor a handle, nor a token lies in the database', async ({ place }) => {
  const flow = await startFlow(place)
  const code = await approvedCode(place, flow)
  const { body } = await exchange(place, flow, code)
  const token = String(body['access_token'])
  const { rows } = await sql<{ table_name: string }>`
    select table_name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(place.world.domain.db)
  expect(rows.map(({ table_name: name }) => name)).toContain('oauth_requests')
  for (const { table_name: name } of rows) {
    const found = await sql<{ text: string }>`
      select to_jsonb(t)::text as text from ${sql.table(name)} t`.execute(place.world.domain.db)
    const all = found.rows.map(({ text }) => text).join('')
    for (const secret of [code, token, flow.verifier]) expect(all).not.toContain(secret)
  }
})

describe('the endpoint of tokens', () => {
  const wrong: [string, Record<string, string>, number, string][] = [
    ['no grant_type', { grant_type: '' }, 400, 'invalid_request'],
    ['client credentials', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['no client', { client_id: '' }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['no code', { code: '' }, 400, 'invalid_request'],
    ['a NUL', { code: '\0' }, 400, 'invalid_request'],
  ]
  test.for(wrong)('refuses %s', async ([, changes, status, error], { place }) => {
    const flow = await startFlow(place)
    const answer = await place.postForm('/oauth/token', {
      ...exchangeFields(flow, 'x'),
      ...changes,
    })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toEqual({ error, error_description: expect.any(String) })
  })

  test(
    verifies('oauth.no-refresh', 'gives no refresh token, and takes none'),
    async ({ place }) => {
      const { flow, code } = await approved(place)
      const { body } = await exchange(place, flow, code)
      expect(body).not.toHaveProperty('refresh_token')
      const refreshed = await exchange(place, flow, '', {
        grant_type: 'refresh_token',
        refresh_token: String(body['access_token']),
      })
      expect(refreshed).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } })
    },
  )

  test('takes a form alone, of which nothing comes twice', async ({ place }) => {
    const { flow, code } = await approved(place)
    const fields = exchangeFields(flow, code)
    const answers = [
      await place.postJson('/oauth/token', fields),
      await place.postForm('/oauth/token', [...Object.entries(fields), ['code', code]]),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
    }
    const twice: [string, string][] = [
      ['resource', place.resource],
      ['resource', place.resource],
    ]
    const taken = await place.postForm('/oauth/token', [...Object.entries(fields), ...twice])
    expect(taken.status).toBe(200)
  })
})

test('whoever comes while the database is away is told to come back, by page and by endpoint', async ({
  place,
}) => {
  const { db } = place.world.domain
  const flow = await startFlow(place)
  const answers = await db.transaction().execute(async (tx) => {
    await sql`lock table oauth_clients in access exclusive mode`.execute(tx)
    const asked = [
      ask(place, flow.asked),
      place.postForm('/oauth/token', exchangeFields(flow, 'any')),
    ]
    await expect.poll(() => countBlocked(db)).toBe(2)
    await sql`
      select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
    return Promise.all(asked)
  })
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  }
  expect(await answers[1]?.json()).toMatchObject({ error: 'temporarily_unavailable' })
})

test('a token lasts ninety days, and no longer', async ({ place }) => {
  const token = await tokenFor(place)
  await place.world.advance(90 * 24 * 3_600 - 60)
  expect((await callMcp(place, token)).status).toBe(200)
  await place.world.advance(61)
  expect((await callMcp(place, token)).status).toBe(401)
})

/** Tokens of OAuth that somebody can use. */
async function activeGrants({ world }: Place): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from user_tokens
     where kind = 'oauth' and token_hmac is not null and revoked_at is null
       and expires_at > app.now()`.execute(world.domain.db)
  return rows[0]?.count ?? 0
}
