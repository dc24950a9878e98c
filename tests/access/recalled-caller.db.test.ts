import type { Person } from '@svc/domain/testing/people'
import type { World } from '@svc/domain/testing/open-world'
import { highLimits } from '@svc/testing/high-limits'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, vi } from 'vitest'
import { testAt } from '@svc/api/testing/place'

const test = testAt(({ world, baseUrl }) => ({ world, baseUrl }), highLimits)

type Place = { world: World; baseUrl: string }

/** Somebody whose token the API has seen: two objectives, of which they have launched the first. */
async function scene({ world, baseUrl }: Place, role: 'member' | 'viewer' = 'member') {
  const { mission } = await world.missionWith(['a', 'b'], { allowParallelObjectives: true })
  const person = await world.person(role)
  const [a, b] = mission.objectives
  const launch = async (id: string, headers: Record<string, string> = {}, body: object = {}) => {
    const answer = await fetch(`${baseUrl}/api/objectives/${id}/launch`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${person.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ agent: 'scripted', ...body }),
    })
    const { error } = (await answer.json()) as { error?: { code: string } }
    return error?.code ?? answer.status
  }
  return { person, launch, first: await launch(a.id, { 'idempotency-key': 'a' }), a, b }
}

/** Whatever makes who called before somebody else, and what they are told then. */
const changes: Record<string, [(world: World, person: Person) => Promise<unknown>, string]> = {
  'whose token was revoked': [
    async (_world, { call, actor }) =>
      call('revokeUserToken', { id: (await actor()).credential.id }),
    'unauthenticated',
  ],
  'whose token has expired': [
    async ({ domain }, { actor }) =>
      sql`update user_tokens set expires_at = app.now() where id = ${(await actor()).credential.id}`.execute(
        domain.db,
      ),
    'unauthenticated',
  ],
  'who was disabled': [
    async ({ domain }, { actor }) =>
      sql`update users set disabled_at = app.now() where id = ${(await actor()).userId}`.execute(
        domain.db,
      ),
    'unauthenticated',
  ],
  'who was removed': [
    async ({ alice }, { actor }) => alice.call('removeMember', { id: (await actor()).userId }),
    'unauthenticated',
  ],
  'who may only read by now': [
    async ({ alice }, { actor }) =>
      alice.call('updateMember', { id: (await actor()).userId, role: 'viewer' }),
    'forbidden',
  ],
}

describe('a call by somebody who called before', () => {
  test.for(Object.keys(changes))('is refused %s, and does nothing', async (name, { place }) => {
    const [change, code] = changes[name] ?? []
    const { person, launch, first, a, b } = await scene(place)
    expect(first).toBe(201)
    await change?.(place.world, person)
    const again: unknown[] = []
    const written = await place.world.rowsWrittenBy(async () => {
      again.push(await launch(b.id))
      again.push(await launch(a.id, { 'idempotency-key': 'a' }))
      again.push(await launch(b.id, {}, { agent: 7 }))
      again.push(await launch(b.id, { 'idempotency-key': '' }))
    })
    // whoever may still call is answered what the same call was answered, and told what is wrong with another
    const mayCall = code === 'forbidden'
    const invalid = mayCall ? 'validation_failed' : code
    expect(again).toEqual([code, mayCall ? 201 : code, invalid, invalid])
    expect(written.rows).toEqual([])
  })

  test('is done once they may', async ({ place }) => {
    const { person, launch, first, b } = await scene(place, 'viewer')
    expect(first).toBe('forbidden')
    const { userId } = await person.actor()
    await place.world.alice.call('updateMember', { id: userId, role: 'member' })
    expect(await launch(b.id)).toBe(201)
  })

  test('reads who they are by the first packet of its transaction', async ({ place }) => {
    const { launch, b } = await scene(place)
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    try {
      expect(await launch(b.id)).toBe(201)
      const sent = spy.mock.calls.map(([given], nth) => {
        const query: unknown = given
        const text = typeof query === 'string' ? query : (query as { text: string }).text
        return { text, client: spy.mock.contexts[nth] }
      })
      const looks = sent.flatMap(({ text }, nth) => (text.includes('token_hmac in') ? [nth] : []))
      expect(looks).toHaveLength(1)
      const [look = 0] = looks
      expect(sent[look - 1]).toEqual({ text: 'begin', client: sent[look]?.client })
      expect(sent[look + 1]?.client).toBe(sent[look]?.client)
    } finally {
      spy.mockRestore()
    }
  })
})
