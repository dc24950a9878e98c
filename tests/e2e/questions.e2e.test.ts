import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import type { Scene } from './support/scene.ts'
import { test } from './support/test.ts'
import { readRecorded } from './support/agents.ts'
import { until } from './support/until.ts'

const setUp = { repository: true, instructions: ['Write a line.\nscripted: ask-and-exit'] }

async function untilAsked({ client, mission }: Scene) {
  return until('the agent has asked', async () => {
    const open = { missionId: mission.id, status: 'open' as const }
    return (await client.call('listQuestions', open)).questions[0]
  })
}

/** Longer than what a briefing shows of an entry. */
const longAnswer = `English. ${'Use short words. '.repeat(40)}Never the passive voice.`

async function outputOf({ client }: Scene, { id }: { id: string }): Promise<string> {
  const { bytes } = await client.call('getRunLog', { id })
  return Buffer.from(bytes).toString()
}

describe('an agent that asks and ends', () => {
  test(
    verifies(
      ['event.mission-blocked', 'service.launch-to-review'],
      'goes on with the answer in its checkout and its own conversation, up to the review',
    ),
    async ({ service }) => {
      await using scene = await service.scene(setUp)
      await scene.machine()
      await scene.launch()
      const { id, displayId } = await untilAsked(scene)
      const parked = await scene.untilRequest('parked', ({ outcome }) => outcome === 'parked')
      const { objective } = await scene.client.call('getObjective', { id: displayId })
      expect(objective.state).toBe('executing')

      await scene.client.call('answerQuestion', { id, text: longAnswer })

      const resumed = await scene.untilEnded()
      expect(resumed).toMatchObject({ kind: 'resume', outcome: 'delivered', branch: parked.branch })
      expect(await scene.phase()).toBe('review')
      const said = await outputOf(scene, resumed)
      expect(said).toMatch(/goes on with conversation \S+/)
      expect(said).toContain(longAnswer)
      expect(scene.repository.git('show', `${resumed.branch}:scripted-agent.md`)).toContain(
        '- Write',
      )
    },
  )

  test('begins anew with what was asked and answered where it has no conversation of its own', async ({
    service,
  }) => {
    await using scene = await service.scene(setUp)
    const machine = await scene.machine()
    await scene.launch('recorder')
    const { id } = await untilAsked(scene)
    await scene.untilRequest('parked', ({ outcome }) => outcome === 'parked')
    await scene.client.call('answerQuestion', { id, text: 'English.' })
    const resumed = await scene.untilEnded()
    expect(resumed).toMatchObject({ kind: 'resume', outcome: 'delivered' })
    expect(await outputOf(scene, resumed)).not.toContain('goes on with conversation')
    expect(readRecorded(machine.home.folder).briefing).toMatch(/ answer \| .*\nEnglish\.\n/)
  })
})

describe('an agent that crashed after it attached', () => {
  test('is gone on with in its checkout and its own conversation, up to the review', async ({
    service,
  }) => {
    const instructions = ['Write a line.\nscripted: crash-after-attach']
    await using scene = await service.scene({ repository: true, instructions })
    await scene.machine()
    await scene.launch()
    const crashed = await scene.untilEnded()
    expect(crashed).toMatchObject({ outcome: 'exited', exit: { signal: 'SIGKILL' } })

    const { id } = scene.objective
    await scene.client.call('updateObjective', { id, instruction: 'Write a line.' })
    const { executionRequest } = await scene.client.call('resumeObjective', { id })
    const resumed = await scene.untilRequest('delivered', ({ endedAt }) => endedAt !== null)
    expect(resumed).toMatchObject({
      id: executionRequest.id,
      kind: 'resume',
      outcome: 'delivered',
      branch: crashed.branch,
    })
    const { bytes } = await scene.client.call('getRunLog', { id: resumed.id })
    expect(Buffer.from(bytes).toString()).toMatch(/goes on with conversation \S+/)
    expect(await scene.phase()).toBe('review')
  })
})
