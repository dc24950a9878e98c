import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('a session whose work was deleted', () => {
  test(
    'is told what was deleted, when, and how it comes back',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'])
      const [a] = mission.objectives
      const { agent } = await world.attachedRun(a)
      await agent.deliver()
      const sessionKey = agent.sessionKey()
      const gone = (what: string, next: object) => ({
        code: 'not_found',
        message: expect.stringMatching(
          new RegExp(`^${what} was deleted at \\S+Z, .* until \\S+Z it can be restored\\.$`),
        ),
        details: { deletedAt: expect.any(String), restorableUntil: expect.any(String) },
        next,
      })

      await alice.call('deleteObjectives', { objectiveIds: [a.id], confirm: true })
      const ofObjective = gone(`Objective ${a.displayId}`, {
        operation: 'restoreObjective',
        params: { id: a.displayId },
      })
      const batch = { batchId: crypto.randomUUID(), seq: 1, items: [] }
      const artifact = { type: 'next_steps', label: 'Next', contentText: 'Merge it.' } as const
      const { next: _restore, ...toRunner } = ofObjective
      for (const call of [
        () => agent.update(),
        () => agent.heartbeat(),
        () => agent.ask(),
        () => agent.deliver({ summary: 'Something else.' }),
      ]) {
        // a runner's token restores nothing, so that it is not offered with it
        await expect(call()).rejects.toMatchObject({ ...toRunner, next: undefined })
      }
      for (const call of [
        () => alice.call('recordLedgerBatch', { id: a.id, sessionKey, ...batch }),
        () => alice.tool('svc_add_artifact', { sessionKey, ...artifact }),
        () => alice.tool('svc_update_session', { sessionKey: a.displayId, text: 'Hi' }),
        () => alice.protocol('update', { sessionKey, missionId: mission.id, text: 'Hi' }),
      ]) {
        await expect(call()).rejects.toMatchObject(ofObjective)
      }

      await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
      const ofMission = { operation: 'restoreMission', params: { id: mission.displayId } }
      await expect(alice.protocol('update', { sessionKey, text: 'Hi' })).rejects.toMatchObject(
        gone(`Mission ${mission.displayId}`, ofMission),
      )

      await alice.call('restoreMission', { id: mission.id })
      await alice.call('restoreObjective', { id: a.id })
      await expect(agent.update()).rejects.toMatchObject({ code: 'session_ended' })
    },
  )

  test('of somebody else, out of reach, or gone for good, is a session that is not there', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    const { project } = await alice.call('createProject', { name: 'Elsewhere' })
    const narrow = await alice.withToken({ preset: 'mission_lifecycle', projectIds: [project.id] })
    const said = { sessionKey: agent.sessionKey(), text: 'Hi' }
    const missing = { code: 'not_found', message: 'No session with this key here.' }
    await expect(narrow.protocol('update', said)).rejects.toMatchObject(missing)
    await expect(world.bob.protocol('update', said)).rejects.toMatchObject(missing)
    await world.advance(31 * 86_400)
    await expect(alice.protocol('update', said)).rejects.toMatchObject(missing)
  })
})
