import { randomUUID } from 'node:crypto'
import { isServiceError } from '@svc/contracts/errors'
import { inTransaction } from '@svc/domain/commit/transaction'
import { type World, test as base } from '@svc/testing/world'
import { describe, expect } from 'vitest'
import { authenticatePerson } from './authenticate.ts'
import { changeEmail } from './change-email.ts'
import { hashPassword } from './hash-password.ts'
import { storePassword } from './passwords.ts'
import type { Person } from './person.ts'
import { signInByPassword } from './sign-in.ts'
import { startSignIn } from './sign-ins.ts'

const password = 'four quiet words here'

const test = base.extend('hash', { scope: 'file' }, () => hashPassword(password))

/** Somebody new who has just signed in. */
async function meet(world: World, hash?: string): Promise<Person> {
  const { domain } = world
  const { userId } = await world.person('member')
  const { secret } = await inTransaction({ domain }, async (tx) => {
    if (hash !== undefined) await storePassword(tx, userId, hash)
    return startSignIn(tx, domain.keys, { userId, browser: '', from: undefined, by: 'a test' })
  })
  return authenticatePerson(domain, secret)
}

/** `changed`, or what the refusal says. */
function change({ domain }: World, person: Person, email: string, currentPassword?: string) {
  return changeEmail({ domain, from: '192.0.2.1' }, person, { email, currentPassword }).then(
    () => 'changed',
    (error: unknown) => (isServiceError(error) ? error.message : Promise.reject(error)),
  )
}

const anew = () => `${randomUUID()}@example.com`
const taken = expect.stringContaining('This address cannot be yours here')

describe('a person who changes their e-mail address', () => {
  test('signs in by the new one, and by the old one no more', async ({ world, hash }) => {
    const { domain } = world
    const person = await meet(world, hash)
    const email = anew()
    expect(await change(world, person, email, 'not the one it is')).toContain('current password')
    expect(await change(world, person, email)).toContain('current password')
    expect(await change(world, person, email, password)).toBe('changed')
    // an answer that got lost is asked for again
    expect(await change(world, person, email, password)).toBe('changed')
    const signIn = (as: string) =>
      signInByPassword({ domain }, { email: as, password, browser: '' })
    expect(await signIn(email)).toMatchObject({ userId: person.userId })
    await expect(signIn(person.email)).rejects.toMatchObject({ code: 'forbidden' })
    const { entries } = await world.alice.call('listAudit', { action: 'email.changed' })
    expect(entries.filter(({ targetId }) => targetId === person.userId)).toMatchObject([
      { actor: { id: person.userId }, details: { from: person.email, to: email } },
    ])
    expect(await change(world, person, email.toUpperCase(), password)).toBe('changed')
  })

  test('without a password does so soon after signing in', async ({ world }) => {
    const person = await meet(world)
    expect(await change(world, person, anew(), 'whatever it is')).toBe('changed')
    await world.advance(10 * 60)
    expect(await change(world, person, anew())).toContain('sign in again')
  })

  test('does not take that of somebody else, nor finds out who is here', async ({
    world,
    hash,
  }) => {
    const [person, other] = [await meet(world, hash), await meet(world, hash)]
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await change(world, person, other.email.toUpperCase(), password)).toEqual(taken)
    }
    expect(await change(world, person, anew(), password)).toContain('Too many tries')
  })

  test('at the same moment as somebody else to the same one: one of them has it', async ({
    world,
    hash,
  }) => {
    const people = await Promise.all(Array.from({ length: 4 }, () => meet(world, hash)))
    const email = anew()
    const answers = await Promise.all(people.map((one) => change(world, one, email, password)))
    expect(answers.toSorted()).toEqual([taken, taken, taken, 'changed'])
  })
})
