import { composeDue } from '@svc/domain/deliveries/compose-due'
import { sweepCompositions } from '@svc/domain/deliveries/sweep-compositions'
import { readEnvironment } from '@svc/process/env'
import { createLog } from '@svc/process/log'
import { createTestDatabase } from '@svc/testing/database'
import { verifies } from '@svc/testing/verifies'
import { openWorld } from '@svc/domain/testing/world'
import { secretKeys } from '@svc/domain/testing/open-process'
import { describe, expect } from 'vitest'
import { DispatcherEnvironment } from './env.ts'
import { openDispatcher } from './server.ts'
import { holds, says, sends } from './testing/composer-server.ts'
import { deliver, deterministic, risks, test } from './testing/composing-world.ts'
import {
  asksAgain,
  composed,
  composing,
  never,
  waitsOnlySoLong,
} from './testing/describe-composer.ts'

const asBefore = { status: 'deterministic', markdown: deterministic }

describe('a delivery', () => {
  test(
    verifies(
      ['deliver.ai-queued', 'deliver.ai-no-delay', 'delivery.current-presentation'],
      'is there before a model is asked, and shows what was composed once that is there',
    ),
    async ({ composing: { deliver, drain, server } }) => {
      const { read, hasJob } = await deliver()
      expect(server.asked).toEqual([])
      expect(await read()).toEqual(composing)
      expect(await hasJob()).toBe(true)
      await drain()
      expect(await read()).toEqual(composed)
      expect(await hasJob()).toBe(false)
    },
  )

  test(
    verifies('deliver.ai-queued', 'leaves no job where no composer is configured'),
    async ({ world }) => {
      const { read, hasJob } = await deliver(world)
      expect(await hasJob()).toBe(false)
      expect(await read()).toEqual(asBefore)
    },
  )

  test(
    'is given to the model as its summary and report, under the key of the operator',
    { tags: 'large' },
    async ({ composing: { deliver, drain, server } }) => {
      await deliver()
      await drain()
      const [post] = server.asked
      expect(post).toMatchObject({
        path: '/v1/chat/completions',
        headers: {
          authorization: 'Bearer key-of-the-composer',
          'content-type': 'application/json',
        },
      })
      const body = JSON.parse(post?.raw.toString() ?? '')
      expect(body).toMatchObject({
        model: 'small',
        messages: [{ role: 'system' }, { role: 'user' }],
      })
      expect(JSON.parse(body.messages[1].content)).toEqual({
        summary: 'Done.',
        agentReport: expect.objectContaining({ risks }),
      })
    },
  )

  test(
    'shows in the live feed that it is presented anew',
    { tags: 'large' },
    async ({ composing, world }) => {
      const { id } = await composing.deliver()
      await composing.drain()
      const calls = await world.domain.db
        .selectFrom('entity_changes')
        .select(['operation', 'data'])
        .where('entity_id', '=', id)
        .orderBy('seq')
        .execute()
      expect(calls.map(({ operation }) => operation)).toEqual(['deliver', 'present'])
      expect(calls[1]?.data).toMatchObject({ presentation: 'composed' })
    },
  )
})

describe('a composer that', () => {
  // the larger dose has all that it may do instead
  asksAgain(['fails', 'answers no JSON', 'says too much'])
  waitsOnlySoLong(['answers a byte at a time'])

  test(
    'says when it wants to be asked again is asked then',
    { tags: 'large' },
    async ({ composing: at, world }) => {
      const { read } = await at.deliver()
      at.server.answer(sends('{}', 429, { 'retry-after': '300' }))
      await at.drain()
      at.server.answer(says('# Composed'))
      await world.advance(200)
      await at.drain()
      expect(at.server.asked).toHaveLength(1)
      await world.advance(101)
      await at.drain()
      expect(await read()).toEqual(composed)
    },
  )

  test(
    'fails four times leaves the presentation as it was',
    { tags: 'large' },
    async ({ composing: at, world }) => {
      const { read, hasJob } = await at.deliver()
      at.server.answer(sends('{}', 500))
      for (let tries = 1; tries <= 4; tries += 1) {
        expect(await read()).toEqual(composing)
        await at.drain()
        expect(at.server.asked).toHaveLength(tries)
        await world.advance(121)
      }
      expect(await read()).toEqual(asBefore)
      expect(await hasJob()).toBe(false)
    },
  )

  test(
    'writes what cannot be stored, or a secret, has it replaced',
    { tags: 'large' },
    async ({ composing: at, world }) => {
      const { read } = await at.deliver()
      at.server.answer(says(`\0 \ud800 ${world.alice.token} <script>`))
      await at.drain()
      const markdown = (await read())?.markdown
      expect(markdown).toMatch(/^\uFFFD \uFFFD .* <script>$/)
      expect(markdown).not.toContain(world.alice.token)
    },
  )
})

describe('a composition', () => {
  test(
    'whose process died is made by another',
    { tags: 'large' },
    async ({ composing: at, world }) => {
      const { read } = await at.deliver()
      expect(await world.domain.jobs.fetch('presentation', { limit: 1 })).toHaveLength(1)
      await at.drain()
      expect(at.server.asked).toEqual([])
      await at.lapse()
      await at.drain()
      expect(await read()).toEqual(composed)
    },
  )

  test(
    'that comes after its claim has lapsed never replaces the one of the next',
    { tags: 'large' },
    async ({ composing: at, world }) => {
      const { read } = await at.deliver()
      const held = holds()
      at.server.answer(held.answer)
      const late = composeDue(world.domain, at.server.composer(), never)
      const give = await held.asked
      await at.lapse()
      at.server.answer(says('# Composed'))
      await at.drain()
      give(says('# Late'))
      await late
      expect(await read()).toEqual(composed)
    },
  )

  test(
    'that comes late does not end the claim of the next',
    { tags: 'large' },
    async ({ composing: at, world }) => {
      const { read } = await at.deliver()
      const [first, second] = [holds(), holds()]
      at.server.answer(first.answer)
      const late = composeDue(world.domain, at.server.composer(), never)
      const giveFirst = await first.asked
      await at.lapse()
      at.server.answer(second.answer)
      const next = composeDue(world.domain, at.server.composer(), never)
      const giveSecond = await second.asked
      giveFirst(says('# Late'))
      await late
      expect(await read()).toEqual(composing)
      giveSecond(says('# Composed'))
      await next
      expect(await read()).toEqual(composed)
    },
  )

  test('is made by one of many dispatchers', { tags: 'large' }, async ({ composing: at }) => {
    const delivered = [await at.deliver(), await at.deliver()]
    await using stack = new AsyncDisposableStack()
    const dispatchers = Array.from({ length: 4 }, () => stack.use(at.start()))
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.drain()))
    expect(await Promise.all(delivered.map(({ read }) => read()))).toEqual([composed, composed])
    expect(at.server.asked).toHaveLength(2)
  })

  test(
    'of a report that is too long to be sent is not asked for',
    { tags: 'large' },
    async ({ composing: at }) => {
      const text = 'x'.repeat(3_000)
      const { read, hasJob } = await at.deliver(Array(80).fill({ text, evidence: 'a test' }))
      await at.drain()
      expect(at.server.asked).toEqual([])
      expect((await read())?.status).toBe('deterministic')
      expect(await hasJob()).toBe(false)
    },
  )

  test(
    'that a stopping dispatcher cuts is made at once by the next',
    { tags: 'large' },
    async ({ composing: at }) => {
      const held = holds()
      at.server.answer(held.answer)
      const { read } = await at.deliver()
      const stopping = at.start()
      const draining = stopping.drain()
      await held.asked
      await stopping[Symbol.asyncDispose]()
      await draining
      expect(await read()).toEqual(composing)
      at.server.answer(says('# Composed'))
      await at.drain()
      expect(await read()).toEqual(composed)
    },
  )

  test('is given up after an hour, and is not written any more', async ({
    composing: at,
    world,
  }) => {
    const { read } = await at.deliver()
    const held = holds()
    at.server.answer(held.answer)
    const late = composeDue(world.domain, at.server.composer(), never)
    const give = await held.asked
    expect(await sweepCompositions(world.domain)).toBe(0)
    await world.advance(3_601)
    expect(await sweepCompositions(world.domain)).toBe(1)
    give(says('# Late'))
    await late
    expect(await read()).toEqual(asBefore)
  })
})

describe('a process whose environment names a composer', () => {
  test(
    'leaves compositions to be made, and makes them',
    { tags: 'large' },
    async ({ composing: { server } }) => {
      await using database = await createTestDatabase()
      await using world = await openWorld(database.connectionString)
      const log = createLog({ name: 'test', level: 'silent' })
      const environment = readEnvironment(DispatcherEnvironment, {
        DATABASE_URL: database.connectionString,
        SVC_SECRET_KEYS: secretKeys,
        SVC_COMPOSER_URL: `${server.url}/`,
        SVC_COMPOSER_MODEL: 'small',
      })
      await using dispatcher = await openDispatcher({ environment, log, health: false })
      const { composes } = dispatcher.domain
      Object.assign(world.domain, { composes })
      const { read } = await deliver(world)
      await expect.poll(read).toEqual(composed)
      expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([undefined])
    },
  )
})
