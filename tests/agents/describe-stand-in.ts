import { findStep } from '@svc/runner/run/journal'
import { expect } from 'vitest'
import { untilAsked } from '../e2e/support/asking.ts'
import { test } from '../e2e/support/test.ts'
import { describeExit } from './describe-run.ts'
import { readRecording } from './recording.ts'
import { answer, summary } from './scenario.ts'
import { openStandIn } from './stand-in-place.ts'

/** What a runner makes of an agent that prints what the real one printed. */
export function describeStandIn(agent: string): void {
  test(`${agent}, as it was recorded, asks, goes on in its own conversation, commits and delivers`, async ({
    service,
  }) => {
    await using place = await openStandIn(service, agent)
    const { scene, machine } = place
    await scene.launch(agent)
    const { id } = await untilAsked(scene)
    await scene.untilRequest('parked', ({ outcome }) => outcome === 'parked')
    await scene.client.call('answerQuestion', { id, text: answer })

    const run = await scene.untilEnded()

    expect(run).toMatchObject({ kind: 'resume', outcome: 'delivered' })
    expect(run.usage).toEqual(readRecording(agent).usage)
    const { deliveries } = await scene.client.call('listDeliveries', { id: scene.mission.id })
    expect(deliveries).toMatchObject([{ summary }])
    const commits = scene.repository.git('log', '--format=%s', `main..${run.branch}`)
    expect(commits).toBe('Paint the bridge\nBuild the bridge')
    const [first, resumed] = machine.runs().map(({ steps }) => steps)
    const conversation = /[0-9a-f]{8}-[0-9a-f-]{27}/
    const begun = JSON.stringify([
      findStep(first ?? [], 'native'),
      findStep(first ?? [], 'spawning'),
    ])
    const [known = 'none'] = conversation.exec(begun) ?? []
    expect(findStep(resumed ?? [], 'spawning')?.argvRedacted).toContain(known)
  })
}

/** What becomes of a launch that the maker's server refuses. */
export function describeRefusals(agent: string): void {
  test.for(['quotaWall', 'signedOut'] as const)(
    `${agent}, as it was recorded, is not counted as at work: %s`,
    async (kind, { service }) => {
      await using place = await openStandIn(service, agent, { STAND_IN_REFUSES: kind })
      const { scene } = place
      await scene.launch(agent)
      const request = await scene.untilRequest(
        'refused',
        ({ endedAt, lastRelease }) => endedAt !== null || lastRelease !== null,
      )
      expect(describeExit(request)).toBe(readRecording(agent)[kind].became)
    },
  )
}
