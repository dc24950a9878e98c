import { describe, expect } from 'vitest'
import { readRecorded } from './support/agents.ts'
import { asking, outputOf, untilAsked } from './support/asking.ts'
import { test } from './support/test.ts'

describe('an agent that asks and ends', () => {
  test('begins anew with what was asked and answered where it has no conversation of its own', async ({
    service,
  }) => {
    await using scene = await service.scene(asking)
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
    expect(await outputOf(scene, resumed)).toMatch(/goes on with conversation \S+/)
    expect(await scene.phase()).toBe('review')
  })
})
