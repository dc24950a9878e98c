import { test as base } from '@svc/domain/testing/hooked-world'
import { openDatabase } from '@svc/db/database'
import { createTestDatabase } from '@svc/testing/database'
import { sql } from 'kysely'
import { type Filled } from './expect-flat.ts'
import { fill } from './fill.ts'
import { indexColumns } from './plans.ts'

export interface Dose {
  missions: number
  /** The planner has to choose an index where there is one: a table this small it would rather read from end to end. */
  byIndexes: boolean
}

/** The shares of the missions: alice's workspace, carla's, and one in which neither of them is. */
const shares = { here: 0.8, elsewhere: 0.18, third: 0.02 }

/** Tests of a file on one database that is filled with so many missions. */
export const testWith = ({ missions, byIndexes }: Dose) =>
  base.extend('filled', { scope: 'file' }, async ({ world }, { onCleanup }): Promise<Filled> => {
    const { db } = world.domain
    const third = { slug: 'third', name: 'Third' }
    const { id: thirdId } = await db
      .insertInto('workspaces')
      .values({ id: '00000000-0000-7000-8000-0000000000ff', ...third })
      .returning('id')
      .executeTakeFirstOrThrow()
    const people = {
      here: { workspaceId: world.workspaceId, userId: (await world.alice.actor()).userId },
      elsewhere: await world.carla.actor(),
      third: { workspaceId: thirdId, userId: (await world.carla.actor()).userId },
    }
    const owners = Object.entries(people)
    // each owner has one of these shares
    await Promise.all(
      owners.map(([name, owner]) =>
        fill(db, owner, missions * shares[name as keyof typeof shares]),
      ),
    )
    await sql`analyze`.execute(db)
    const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and reltuples > ${missions * 0.06}`.execute(
      db,
    )
    const database = await createTestDatabase()
    const young = openDatabase({
      url: database.connectionString,
      poolSize: 1,
      onError: () => undefined,
    })
    onCleanup(async () => {
      await young.destroy()
      await database[Symbol.asyncDispose]()
    })
    const big = new Set(rows.map((row) => row.name))
    return { big, columns: await indexColumns(db), young, byIndexes }
  })

export type FlatTest = ReturnType<typeof testWith>
