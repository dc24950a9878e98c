import { hash, randomBytes } from 'node:crypto'
import type { Domain } from '../domain.ts'
import { routeHandlers } from '../handlers/routes.ts'
import { test } from '../testing/world.ts'
import { expect } from 'vitest'
import { approveLoginRequest } from './decide.ts'
import { purgeExpired } from '../sweep/purge-expired.ts'

const visitor = { from: '192.0.2.1', origin: 'https://svc.example.com' }
const keyOf = (name: string, byte: number) => `${name}:${Buffer.alloc(32, byte).toString('base64')}`

test('a login goes on as it was when a new key comes into force meanwhile', async ({ world }) => {
  await using renewed = await world.openProcess({
    secretKeys: `${keyOf('new', 9)},${keyOf('test', 7)}`,
  })
  const verifier = randomBytes(32).toString('base64url')
  const input = { challenge: hash('sha256', verifier, 'base64url'), device: 'laptop' }
  const create = (domain: Domain) => routeHandlers.createLoginRequest({ domain }, visitor, input)
  const request = await create(world.domain)
  expect(await create(renewed)).toEqual(request)

  const handle = new URL(request.address).searchParams.get('request') ?? ''
  await approveLoginRequest({ domain: renewed }, await world.alice.actor(), handle)
  const poll = (domain: Domain) =>
    routeHandlers.pollLoginRequest({ domain }, visitor, { id: request.id, verifier })
  const taken = await poll(world.domain)
  expect(taken.state).toBe('approved')
  expect(await poll(renewed)).toEqual(taken)
})

test('one network asks for twenty logins a minute, however many it asks for at once', async ({
  world: { domain },
}) => {
  const from = '192.0.2.20'
  const asking = Array.from({ length: 100 }, () => {
    const challenge = randomBytes(32).toString('base64url')
    const input = { challenge, device: 'laptop' }
    return routeHandlers.createLoginRequest({ domain }, { ...visitor, from }, input)
  })
  const outcomes = await Promise.allSettled(asking)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
})

test('a login request is purged an hour after its end', async ({ world }) => {
  const { domain } = world
  const challenge = randomBytes(32).toString('base64url')
  const { id } = await routeHandlers.createLoginRequest({ domain }, visitor, {
    challenge,
    device: 'x',
  })
  const isThere = async () => {
    await purgeExpired(domain, 'each hour')
    const found = await domain.db
      .selectFrom('login_requests')
      .select('id')
      .where('id', '=', id)
      .execute()
    return found.length === 1
  }
  await world.advance(69 * 60)
  expect(await isThere()).toBe(true)
  await world.advance(2 * 60)
  expect(await isThere()).toBe(false)
})
