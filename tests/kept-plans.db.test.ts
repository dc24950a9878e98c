import { test } from '@svc/domain/testing/hooked-world'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { fill } from './flat/fill.ts'
import { plansMade } from './flat/plans-made.ts'

/** So often PostgreSQL plans a prepared statement for its values before it compares that with a plan for any. */
const triedFirst = 5
const cycles = 12

test('a statement of the launch path keeps its plan once there is much to plan for', async ({
  hooked: { world },
}) => {
  const { alice, domain, workspaceId } = world
  await fill(domain.db, { workspaceId, userId: (await alice.actor()).userId }, 5_000)
  await sql`analyze`.execute(domain.db)
  const titles = Array.from({ length: cycles }, (_, n) => `Part ${n}`)
  const { mission, project } = await world.missionWith(titles)
  const runner = await world.connectedRunner(project)
  const made = await plansMade(async () => {
    for (const { id } of mission.objectives) {
      const key = { idempotencyKey: id }
      await alice.call('launchObjective', { id, agent: 'scripted' }, key)
      const lease = await runner.take()
      await runner.launching(lease, 'svc/x')
      await runner.launched(lease)
      await runner.heartbeat(lease)
      const agent = runner.agent(lease)
      await agent.attach({}, key)
      await agent.update()
      await agent.deliver({}, key)
      await runner.exited(lease)
    }
  })
  expect(made.filter(({ any }) => any > 0).length).toBeGreaterThan(10)
  expect(made.filter(({ forValues }) => forValues > triedFirst)).toEqual([])
})
