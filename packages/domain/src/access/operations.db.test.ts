import { furnish } from '../testing/furnished.ts'
import { inputOf } from '../testing/least-input.ts'
import { test } from '../testing/hooked-world.ts'
import { operations, outcomeOf } from '../testing/operations.ts'
import { type Person, personWith } from '../testing/people.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { asksForPermission } from './testing/asks-for-permission.ts'

// the larger dose asks all
asksForPermission(operations.filter((_, index) => index % 6 === 0))

test(
  'the folder that a run works in is told by no operation but to the owner of its runner',
  { tags: 'large' },
  async ({ hooked }) => {
    const { alice, domain, world } = hooked
    const bob = personWith(domain, world.bob.token)
    const { mission, names, lease } = await furnish(hooked, alice, { runnerOf: bob })
    const tellers = async (owner: Person) => {
      // one of the operations ends the token that asks
      const person = await owner.withPreset('full')
      const shown: string[] = []
      for (const operation of operations) {
        const input = inputOf(operation, names, lease)
        const text = JSON.stringify(await outcomeOf(operation.call(person, input)))
        if (text.includes('/src/work')) shown.push(operation.name)
      }
      return shown
    }
    expect(await tellers(alice)).toEqual([])
    expect(await tellers(bob)).toEqual(
      expect.arrayContaining([
        'GET /api/execution-requests',
        'GET /api/execution-requests/:id',
        'POST /api/runner/requests/:id/exited',
      ]),
    )
    // what feeds tell, and what webhooks are made of
    for (const table of ['entity_changes', 'mission_events', 'webhook_events']) {
      const { rows } = await sql`
      select * from ${sql.table(table)} where mission_id = ${mission.id}`.execute(domain.db)
      expect(JSON.stringify(rows)).not.toContain('/src/work')
    }
  },
)
