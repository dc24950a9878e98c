import { describe, expect } from 'vitest'
import { test } from './world.ts'

describe('the world of a test', () => {
  test('runs an objective from its launch to its delivery', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs', 'ship it'])
    const { agent, lease, runner } = await world.attachedRun(mission.objectives[0])

    const delivered = await agent.deliver()
    await runner.exited(lease)

    expect(delivered.objective.state).toBe('complete')
    expect(await alice.requestsOf(mission)).toMatchObject([{ outcome: 'delivered' }])
    expect((await alice.mission(mission)).phase).toBe('review')
  })

  test('tells which tables a call wrote to, and what it threw', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs', 'ship it'])

    const launched = await world.rowsWrittenBy(() => alice.launch(mission.objectives[0]))
    const refused = await world.rowsWrittenBy(() => alice.launch(mission.objectives[1]))

    expect(launched.refusal).toBeUndefined()
    expect(launched.rows).toEqual([
      'entity_changes',
      'execution_requests',
      'mission_events',
      'missions',
      'objectives',
    ])
    expect(refused).toMatchObject({ rows: [], refusal: { code: 'mission_busy' } })
  })
})
