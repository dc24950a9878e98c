import { test } from '@svc/domain/testing/hooked-world'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { fill } from './flat/fill.ts'
import { plansMade } from './flat/plans-made.ts'

/** So often PostgreSQL plans a prepared statement for its values before it compares that with a plan for any. */
const triedFirst = 5
const cycles = 12

test('a statement of the launch path is prepared, and keeps its plan once there is much to plan for', async ({
  hooked: { world, domain, subscribe },
}) => {
  const { alice, workspaceId } = world
  await fill(domain.db, { workspaceId, userId: (await alice.actor()).userId }, 5_000)
  await sql`analyze`.execute(domain.db)
  const titles = Array.from({ length: cycles }, (_, n) => `Part ${n}`)
  const { mission, project } = await world.missionWith(titles)
  const runner = await world.connectedRunner(project)
  await subscribe({ eventTypes: ['mission.delivered'] })
  const { prepared, unprepared } = await plansMade(async () => {
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
      await fanOutDue(domain, defaultTiming)
    }
  })
  expect(unprepared).toEqual([])
  expect(prepared.filter(({ any }) => any > 0).length).toBeGreaterThan(10)
  expect(prepared.filter(({ forValues }) => forValues > triedFirst)).toEqual([])
})
