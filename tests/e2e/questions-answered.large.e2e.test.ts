import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { asking, outputOf, untilAsked } from './support/asking.ts'
import { test } from './support/test.ts'

/** Longer than what a briefing shows of an entry. */
const longAnswer = `English. ${'Use short words. '.repeat(40)}Never the passive voice.`

describe('an agent that asks and ends', () => {
  test(
    verifies(
      ['event.mission-blocked', 'service.launch-to-review'],
      'goes on with the answer in its checkout and its own conversation, up to the review',
    ),
    async ({ service }) => {
      await using scene = await service.scene(asking)
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
})
