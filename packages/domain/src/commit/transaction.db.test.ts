import { ServiceError } from '@svc/contracts/errors'
import { withFault } from '@svc/testing/faults'
import { countBlocked } from '@svc/testing/locks'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { idempotencyOf } from '../use-case.ts'
import { inTransaction, refuseAfterCommit, savepoint } from './transaction.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import type { Tx } from '@svc/db/database'

describe('a transaction', () => {
  test(
    'that meets a deadlock is done again, and both get through',
    { tags: 'large' },
    async ({ world }) => {
      const { mission: one } = await world.missionWith([])
      const { mission: two } = await world.missionWith([])
      let tries = 0
      const firstLocks = Promise.withResolvers<void>()
      const secondLocks = Promise.withResolvers<void>()
      const crosswise = (
        first: string,
        second: string,
        mine: PromiseWithResolvers<void>,
        theirs: PromiseWithResolvers<void>,
      ) =>
        inTransaction(world, async (tx) => {
          tries += 1
          await sql`update missions set title = title || '+' where id = ${first}`.execute(tx)
          mine.resolve()
          await theirs.promise
          await sql`update missions set title = title || '+' where id = ${second}`.execute(tx)
        })
      await Promise.all([
        crosswise(one.id, two.id, firstLocks, secondLocks),
        crosswise(two.id, one.id, secondLocks, firstLocks),
      ])
      expect(tries).toBe(3)
      expect([
        (await world.alice.mission(one)).title,
        (await world.alice.mission(two)).title,
      ]).toEqual(['A mission++', 'A mission++'])
    },
  )

  test('goes on while a migration adds a column to what it reads', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const read = () =>
      inTransaction(world, async (tx) => {
        const found = tx.selectFrom('missions').selectAll().where('id', '=', mission.id)
        return (await found.executeTakeFirstOrThrow()).title
      })
    for (let time = 0; time < 3; time += 1) await Promise.all([read(), read(), read()])
    await sql`alter table missions add column added text`.execute(world.domain.db)
    expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill('A mission'))
  })

  test.for(['40P01', '40001'])(
    'that fails with %s is tried four times, then it is unavailable',
    async (code, { world }) => {
      const project = await world.projectWith()
      const create = () => world.alice.call('createMission', { projectId: project.id, title: 'x' })
      const fault = { table: 'missions', operation: 'insert', code } as const
      expect(
        (await withFault(world.domain.db, { ...fault, times: 3 }, create)).mission.displayId,
      ).toMatch(/:1$/)
      await expect(
        withFault(world.domain.db, { ...fault, times: 4 }, create),
      ).rejects.toMatchObject({ code: 'unavailable' })
      expect(
        (await world.alice.call('listMissions', { projectId: project.id })).missions,
      ).toHaveLength(1)
    },
  )

  test.for(['55P03', '57014', '53300', '57P03'])(
    'that fails with %s is unavailable at once',
    async (code, { world }) => {
      const project = await world.projectWith()
      const create = () => world.alice.call('createMission', { projectId: project.id, title: 'x' })
      const fault = { table: 'missions', operation: 'insert', code, times: 1 } as const
      await expect(withFault(world.domain.db, fault, create)).rejects.toMatchObject({
        code: 'unavailable',
      })
    },
  )

  test.for([
    ['53100', 'unavailable', /disk .* is full: free some space/],
    ['25006', 'unavailable', /a standby that has not taken over yet/],
    ['XX001', 'internal', /is damaged: restore it from a backup/],
  ] as const)('that fails with %s says what is to be repaired', async (row, { world }) => {
    const [code, refusal, message] = row
    const project = await world.projectWith()
    const create = () => world.alice.call('createMission', { projectId: project.id, title: 'x' })
    const fault = { table: 'missions', operation: 'insert', code, times: 1 } as const
    await expect(withFault(world.domain.db, fault, create)).rejects.toMatchObject({
      code: refusal,
      message: expect.stringMatching(message),
    })
  })

  test('that meets any other fault ends with that fault', async ({ world }) => {
    const project = await world.projectWith()
    const create = () => world.alice.call('createMission', { projectId: project.id, title: 'x' })
    const fault = { table: 'missions', operation: 'insert', code: '23514' } as const
    await expect(withFault(world.domain.db, fault, create)).rejects.toMatchObject({ code: '23514' })
  })

  test('that meets a table which has got another column meanwhile is done again', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith([])
    const rename = (title: string) => alice.call('updateMission', { id: mission.id, title })
    for (const title of ['one', 'two', 'three']) await rename(title)
    await sql`alter table missions add column more int`.execute(world.domain.db)
    expect((await rename('four')).mission.title).toBe('four')
  })

  test('that is aborted tells of what aborted it, whoever of those sent together is heard first', async ({
    world,
  }) => {
    const failing = () =>
      inTransaction(world, (tx) => {
        // prepared from the second time on, which takes its failure a longer way
        const cause = sql`select 1 / ${0}::int`.execute(tx)
        return Promise.all([cause, sql`select 1`.execute(tx)])
      })
    for (let time = 0; time < 4; time += 1) {
      await expect(failing()).rejects.toMatchObject({ code: '22012' })
    }
  })

  test('of a call that was carried out before answers as then, whatever its work meets now', async ({
    world,
  }) => {
    const actor = await world.alice.actor()
    const call = { route: 'x', key: 'key', bodyHash: Buffer.alloc(32) }
    const context = { domain: world.domain, idempotency: idempotencyOf(actor, call) }
    expect(await inTransaction(context, async () => 'first')).toBe('first')
    const again = inTransaction(context, async (tx) => {
      await sql`select 1 / 0`.execute(tx)
      return 'second'
    })
    expect(await again).toBe('first')
  })

  test('of a call that was carried out before keeps no trace of a refusal', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const actor = await world.alice.actor()
    const call = { route: 'x', key: 'traced', bodyHash: Buffer.alloc(32) }
    const context = { domain: world.domain, idempotency: idempotencyOf(actor, call) }
    const rename = (title: string, refusal?: ServiceError) =>
      inTransaction(context, async (tx) => {
        await sql`update missions set title = ${title} where id = ${mission.id}`.execute(tx)
        return refusal ? refuseAfterCommit(refusal) : title
      })
    const refusal = new ServiceError('forbidden', 'No.')
    await expect(rename('traced', refusal)).rejects.toBe(refusal)
    expect(await rename('first')).toBe('first')
    expect(await rename('second', refusal)).toBe('first')
    expect((await world.alice.mission(mission)).title).toBe('first')
  })

  test('may refuse and keep what it wrote', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const refused = inTransaction(world, async (tx) => {
      await sql`update missions set title = 'kept' where id = ${mission.id}`.execute(tx)
      return refuseAfterCommit(new ServiceError('forbidden', 'No.'))
    })
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
    expect((await world.alice.mission(mission)).title).toBe('kept')
  })
})

test('what is counted in a row is added to what it holds, however often and whatever else is written', async ({
  world,
}) => {
  const { mission } = await world.missionWith([])
  const key = { workspace_id: world.workspaceId, id: mission.id }
  await inTransaction(world, async (tx) => {
    tx.pending.add('missions', key, { launches: 2, used_millionths: 5 })
    tx.pending.set('missions', key, { title: 'Counted' })
    tx.pending.add('missions', key, { launches: -1 })
    await sql`select`.execute(tx)
    tx.pending.add('missions', key, { launches: 3 })
  })
  expect(await world.alice.mission(mission)).toMatchObject({
    title: 'Counted',
    launches: 4,
    usage: { usd: '0.000005' },
  })
})

describe('what is written last', () => {
  test('is not locked while anything else of its transaction is waited for', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const { mission: shared } = await world.missionWith([])
    const rename = (id: string) => sql`update missions set title = title || '+' where id = ${id}`
    let writing: Promise<void> = Promise.resolve()
    await inTransaction(world, async (tx) => {
      await rename(mission.id).execute(tx)
      writing = inTransaction(world, async ({ pending }) => {
        pending.addStatement('waits', rename(mission.id))
        pending.addLast('shared', rename(shared.id))
      })
      await expect.poll(() => countBlocked(world.domain.db)).toBe(1)
      const { rows } = await sql`
        select from missions where id = ${shared.id} for update skip locked`.execute(tx)
      expect(rows).toHaveLength(1)
    })
    await writing
    expect((await world.alice.mission(shared)).title).toBe('A mission+')
  })

  test('writes a row as often as it is asked to', async ({ world }) => {
    const { mission } = await world.missionWith([])
    await inTransaction(world, async ({ pending }) => {
      const longer = (by: string) =>
        sql`update missions set title = title || ${by} where id = ${mission.id}`
      pending.addLast('mission', longer('+'))
      pending.addLast('mission', longer('-'))
    })
    expect((await world.alice.mission(mission)).title).toBe('A mission+-')
  })
})

describe('a savepoint', () => {
  test('undoes its own work alone when that fails', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const tried = await inTransaction(world, async (tx) => {
      await append(tx, mission, 'a')
      const failed = await savepoint(tx, async () => {
        await append(tx, mission, 'b')
        await sql`select 1 / 0`.execute(tx)
      })
      const done = await savepoint(tx, async () => {
        await append(tx, mission, 'c')
        return 'value'
      })
      return [failed, done]
    })
    expect(tried).toEqual([
      { ok: false, error: expect.objectContaining({ code: '22012' }) },
      { ok: true, value: 'value' },
    ])
    expect((await world.alice.mission(mission)).title).toBe('A missionac')
  })

  test('undoes what it sent and did not wait for, whoever fails', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const sendWrong = (tx: UnitOfWork) => {
      const wrong = sql`update missions set title = (1 / 0)::text where id = ${mission.id}`
      tx.pending.addStatement('wrong', wrong)
    }
    const tried = await inTransaction(world, async (tx) => {
      const sent = await savepoint(tx, async () => sendWrong(tx))
      const sentAndThrown = await savepoint(tx, async () => {
        sendWrong(tx)
        throw new Error('its own')
      })
      await append(tx, mission, '!')
      return [sent, sentAndThrown]
    })
    expect(tried).toEqual([
      { ok: false, error: expect.objectContaining({ code: '22012' }) },
      { ok: false, error: expect.objectContaining({ message: 'its own' }) },
    ])
    expect((await world.alice.mission(mission)).title).toBe('A mission!')
  })

  test.for([
    ['before it has written anything is answered at once', 1, ''],
    ['after it has written something is undone in a second try', 2, 'written'],
  ] as const)('that refuses %s', async ([, most, written], { world }) => {
    const { mission } = await world.missionWith([])
    let tries = 0
    const tried = await inTransaction(world, async (tx) => {
      tries += 1
      await append(tx, mission, '!')
      return savepoint(tx, async () => {
        await sql`select`.execute(tx)
        if (written) await append(tx, mission, written)
        throw new ServiceError('forbidden', 'No.')
      })
    })
    expect([tried, tries]).toMatchObject([{ ok: false, error: { code: 'forbidden' } }, most])
    expect((await world.alice.mission(mission)).title).toBe('A mission!')
  })

  test('inside another goes with it', async ({ world }) => {
    const { mission } = await world.missionWith([])
    await inTransaction(world, async (tx) => {
      await savepoint(tx, async () => {
        await savepoint(tx, () => append(tx, mission, 'in'))
        throw new Error('out')
      })
      await append(tx, mission, '!')
    })
    expect((await world.alice.mission(mission)).title).toBe('A mission!')
  })

  test('takes back what it asked to be written last, and no more', async ({ world }) => {
    const { mission } = await world.missionWith([])
    const last = (tx: UnitOfWork, text: string) =>
      tx.pending.addLast(
        'last',
        sql`
        update missions set title = title || ${text}
         where workspace_id = ${world.workspaceId} and id = ${mission.id}`,
      )
    await inTransaction(world, async (tx) => {
      last(tx, 'z')
      await savepoint(tx, async () => {
        last(tx, 'x')
        await sql`select 1 / 0`.execute(tx)
      })
      // whatever comes later is written before
      await append(tx, mission, 'a')
    })
    expect((await world.alice.mission(mission)).title).toBe('A missionaz')
  })

  test('lets a deadlock through, so that the whole transaction is done again', async ({
    world,
  }) => {
    const { mission } = await world.missionWith([])
    const fault = { table: 'missions', operation: 'update', code: '40P01', times: 1 } as const
    let tries = 0
    const done = await withFault(world.domain.db, fault, () =>
      inTransaction(world, (tx) => {
        tries += 1
        return savepoint(tx, () => append(tx, mission, 'x'))
      }),
    )
    expect([tries, done.ok]).toEqual([2, true])
  })
})

async function append(tx: Tx, mission: { id: string }, text: string): Promise<void> {
  await sql`update missions set title = title || ${text} where id = ${mission.id}`.execute(tx)
}
