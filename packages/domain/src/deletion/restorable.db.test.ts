import { personWith } from '../testing/people.ts'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { remove } from './testing/deleting-missions.ts'

test('restoring is possible for as long where the clock of the server is set forward meanwhile', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(['write the docs'])
  const { db } = world.domain
  const { rows } = await sql<{ name: string; day: number }>`
    select current_database() as name,
           extract(doy from app.now() at time zone 'UTC')::int as day`.execute(db)
  const [{ name, day } = { name: '', day: 0 }] = rows
  const after = (days: number) => 1 + ((day + days) % 365)
  const zone = `WINTER0SUMMER,J${after(10)},J${after(150)}`
  await sql`alter database ${sql.id(name)} set timezone to ${sql.lit(zone)}`.execute(db)
  try {
    // whose connections are new
    await using domain = await world.openProcess({})
    const person = personWith(domain, alice.token)
    await remove(person, [mission])
    await world.advance(30 * 86_400 - 60)
    await person.call('restoreMission', { id: mission.id })
  } finally {
    await sql`alter database ${sql.id(name)} reset timezone`.execute(db)
  }
})
