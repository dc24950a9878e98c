import { isServiceError } from '@svc/contracts/errors'
import { inTransaction } from '@svc/domain/commit/transaction'
import { type World, test as base } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { purgeExpired } from '../sweep/purge-expired.ts'
import { hashPassword } from './hash-password.ts'
import { storePassword } from './passwords.ts'
import { changePassword } from './change-password.ts'
import { signInByPassword } from './sign-in.ts'

const password = 'four quiet words here'

const test = base.extend('hash', { scope: 'file' }, () => hashPassword(password))

/** Somebody new, and what comes of trying a password as them: `in`, or the code of the refusal. */
async function meet(world: World, hash: string) {
  const { domain } = world
  const { userId } = await world.person('member')
  const { email } = await domain.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await inTransaction({ domain }, (tx) => storePassword(tx, userId, hash))
  return { email, userId }
}

async function attempt({ domain }: World, from: string, given: { email: string; word?: string }) {
  const { email, word = 'not the one it is' } = given
  return signInByPassword({ domain, from }, { email, password: word, browser: 'a test' }).then(
    () => 'in',
    (error: unknown) => (isServiceError(error) ? error.code : Promise.reject(error)),
  )
}

/** Whose tries to sign in the audit trail has as failed. */
async function tries({ domain: { db } }: World): Promise<string[]> {
  const { rows } = await sql<{ target_id: string }>`
    select target_id from audit_trail where action = 'sign_in.failed' order by id`.execute(db)
  return rows.map((row) => row.target_id)
}

const counted = (answers: readonly string[]) => ({
  forbidden: answers.filter((one) => one === 'forbidden').length,
  rate_limited: answers.filter((one) => one === 'rate_limited').length,
})

describe('whoever guesses passwords', () => {
  test('has ten tries at an account, known or not, and its person comes in from elsewhere', async ({
    world,
    hash,
  }) => {
    const { email, userId } = await meet(world, hash)
    const before = await tries(world)
    for (const account of [email, 'nobody@example.com']) {
      const twelve = Array.from({ length: 12 }, (_, index) =>
        attempt(world, '192.0.2.1', {
          email: index % 2 ? account : ` ${account.toUpperCase()}`,
        }),
      )
      expect(counted(await Promise.all(twelve))).toEqual({ forbidden: 10, rate_limited: 2 })
    }
    // the audit trail grows by what was looked at, and by nothing about nobody
    const after = await tries(world)
    expect(after.slice(before.length)).toEqual(Array(10).fill(userId))
    const right = { email, word: password }
    expect(await attempt(world, '192.0.2.1', right)).toBe('rate_limited')
    expect(await attempt(world, '192.0.2.2', right)).toBe('in')
    await world.advance(15 * 60)
    expect(await attempt(world, '192.0.2.1', right)).toBe('in')
  })

  test('has sixty tries from a network, at however many accounts', async ({ world }) => {
    const from = '2001:db8:0:1::/64'
    await attempt(world, from, { email: 'guessed@example.com' })
    // at fifty-four more accounts
    await sql`update failed_sign_ins set failures = failures + 54`.execute(world.domain.db)
    const ten = Array.from({ length: 10 }, (_, index) =>
      attempt(world, from, { email: `guessed-${index}@example.com` }),
    )
    expect(counted(await Promise.all(ten))).toEqual({ forbidden: 5, rate_limited: 5 })
  })

  test('has a hundred tries at an account from all networks', async ({ world, hash }) => {
    const { email } = await meet(world, hash)
    await attempt(world, '192.0.2.3', { email })
    // as if ninety-eight more networks had tried
    await sql`update failed_sign_ins set failures = failures + 98`.execute(world.domain.db)
    expect(await attempt(world, '198.51.100.1', { email })).toBe('forbidden')
    expect(await attempt(world, '198.51.100.2', { email })).toBe('rate_limited')
  })

  test('keeps out nobody whose browser has signed in to the account before', async ({
    world,
    hash,
  }) => {
    const { domain } = world
    const { email } = await meet(world, hash)
    const other = await meet(world, hash)
    const signIn = (given: { email: string; password: string; mark?: string | undefined }) =>
      signInByPassword({ domain, from: '192.0.2.77' }, { browser: 'a test', ...given })
    const failTenTimes = async () => {
      await attempt(world, '192.0.2.77', { email })
      await sql`update failed_sign_ins set failures = failures + 9`.execute(domain.db)
    }
    const { mark } = await signIn({ email: email.toUpperCase(), password })
    const { mark: ofOther } = await signIn({ email: other.email, password })
    await failTenTimes()
    const limited = { code: 'rate_limited' }
    const changed = `${mark.slice(0, -1)}${mark.endsWith('A') ? 'B' : 'A'}`
    const longer = mark.replace(/^\d+/, (until) => String(Number(until) + 1))
    for (const no of [undefined, ofOther, longer, `${changed}x`, '']) {
      await expect(signIn({ email, password, mark: no })).rejects.toMatchObject(limited)
    }
    expect((await signIn({ email, password, mark })).mark).not.toBe(mark)
    // it guesses no more than anybody else
    const wrong = Array.from({ length: 12 }, () => signIn({ email, password: 'no', mark }))
    const outcomes = await Promise.allSettled(wrong)
    const codes = outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'in'))
    expect(counted(codes)).toEqual({ forbidden: 10, rate_limited: 2 })
    await world.advance(90 * 24 * 3_600)
    await failTenTimes()
    await expect(signIn({ email, password, mark })).rejects.toMatchObject(limited)
  })

  test('guesses no more as somebody who is signed in and changes the password', async ({
    world,
    hash,
  }) => {
    const { domain } = world
    const { email, userId } = await meet(world, hash)
    const { secret } = await signInByPassword({ domain }, { email, password, browser: '' })
    expect(secret).toHaveLength(43)
    const signIn = { id: userId, expiresAt: new Date() }
    const change = (currentPassword: string) =>
      changePassword(
        { domain, from: '192.0.2.9' },
        { userId, userName: 'x', email, signIn },
        { currentPassword, newPassword: 'another few quiet words' },
      ).catch((error: unknown) => (isServiceError(error) ? error.code : Promise.reject(error)))
    const wrong = await Promise.all(Array.from({ length: 11 }, () => change('not the one it is')))
    expect(counted(wrong.map(String))).toEqual({ forbidden: 10, rate_limited: 1 })
    expect(await change(password)).toBe('rate_limited')
  })

  test('is not the change of a password that is sent again', async ({ world, hash }) => {
    const { email, userId } = await meet(world, hash)
    const signIn = { id: userId, expiresAt: new Date() }
    const person = { userId, userName: 'x', email, signIn }
    const input = { currentPassword: password, newPassword: 'another few quiet words' }
    const failed = async () =>
      (await sql`select sum(failures)::int from failed_sign_ins`.execute(world.domain.db)).rows
    const before = await failed()
    for (let times = 0; times < 2; times += 1) await changePassword(world, person, input)
    expect(await failed()).toEqual(before)
  })

  test('is purged a quarter of an hour later', async ({ world }) => {
    const { domain } = world
    await attempt(world, '192.0.2.4', { email: 'nobody@example.com' })
    await world.advance(15 * 60 + 1)
    await purgeExpired(domain, 'each minute')
    expect((await sql`select from failed_sign_ins`.execute(domain.db)).rows).toEqual([])
  })
})
