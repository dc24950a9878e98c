import { createOwner } from '@svc/domain/workspaces/set-up/create-owner'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { authenticatePerson } from './access/authenticate.ts'
import { findSetUp, removeClosedSetUp, setUpOwner } from './set-up.ts'
import { inTransaction } from '../commit/transaction.ts'

async function openLink({ domain }: World): Promise<string> {
  const { setUpSecret } = await createOwner(domain, {
    workspace: { slug: 'first', name: 'First' },
    person: { email: 'olga@example.com', name: 'Owner' },
    newToken: false,
    tokenDays: 1,
  })
  return setUpSecret ?? ''
}

const given = { name: 'Olga', password: 'four quiet words here', browser: 'a browser' }

describe('the link of the first owner', () => {
  test('is good until a newer one is made, and for one of many who use it at once', async ({
    world,
  }) => {
    const { domain } = world
    const gone = { code: 'not_found' }
    const replaced = await openLink(world)
    const secret = await openLink(world)
    await expect(setUpOwner({ domain }, { ...given, secret: replaced })).rejects.toMatchObject(gone)
    await expect(setUpOwner({ domain }, { ...given, secret: '' })).rejects.toMatchObject(gone)
    const short = { ...given, password: 'too short', secret }
    await expect(setUpOwner({ domain }, short)).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await findSetUp(domain, secret)).toEqual({ name: 'Owner', email: 'olga@example.com' })

    const twenty = Array.from({ length: 20 }, () => setUpOwner({ domain }, { ...given, secret }))
    const settled = await Promise.allSettled(twenty)
    const done = settled.filter((one) => one.status === 'fulfilled')
    expect(done).toHaveLength(1)
    for (const one of settled) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject(gone)
    }
    const person = await authenticatePerson(domain, done[0]?.value.secret)
    expect(person).toMatchObject({ userName: 'Olga', email: 'olga@example.com' })
    await expect(findSetUp(domain, secret)).rejects.toMatchObject(gone)
    expect(await openLink(world)).toBe('')
  })

  test('signs in once where passwords are turned off, and is replaced as long as nobody has a credential', async ({
    world,
  }) => {
    const { domain } = world
    await sql`delete from user_passwords`.execute(domain.db)
    const secret = await openLink(world)
    const without = { ...given, secret, password: undefined }
    const signedIn = await setUpOwner({ domain }, without)
    expect(await authenticatePerson(domain, signedIn.secret)).toMatchObject({ userName: 'Olga' })
    await expect(setUpOwner({ domain }, without)).rejects.toMatchObject({ code: 'not_found' })
    expect(await openLink(world)).toHaveLength(43)
  })

  test('is closed by the first credential of anybody', async ({ world }) => {
    const { domain } = world
    await sql`delete from user_passwords`.execute(domain.db)
    const secret = await openLink(world)
    const { userId } = await world.alice.actor()
    await sql`insert into user_identities (issuer, subject, user_id)
              values ('https://id.example', 'alice', ${userId})`.execute(domain.db)
    await expect(setUpOwner({ domain }, { ...given, secret })).rejects.toMatchObject({
      code: 'not_found',
    })
    await inTransaction({ domain }, removeClosedSetUp)
    expect((await sql`select from setup_link`.execute(domain.db)).rows).toEqual([])
  })
})
