import { type JournalStep, findStep } from '@svc/runner/run/journal'
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
    expect(run.usage).toEqual(readRecording(agent).usage.resumed)
    const { deliveries } = await scene.client.call('listDeliveries', { id: scene.mission.id })
    expect(deliveries).toMatchObject([{ summary, checks: { outcome: 'passed', attempts: 2 } }])
    const commits = scene.repository.git('log', '--format=%s', `main..${run.branch}`)
    expect(commits).toBe('Paint the bridge\nBuild the bridge')
    const [first = [], resumed = []] = machine.runs().map(({ steps }) => steps)
    expect(conversationOf(resumed)).toBe(conversationOf(first))
  })
}

/** As the agent named it, or as it was named to the agent. */
function conversationOf(steps: readonly JournalStep[]): string | undefined {
  const said = findStep(steps, 'native')?.externalSessionId
  const words = findStep(steps, 'spawning')?.argvRedacted ?? []
  return said ?? words.find((word) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(word))
}

/** What becomes of a launch that the maker's server refuses. */
export function describeRefusals(agent: string): void {
  const recording = readRecording(agent)
  const told = (['quotaWall', 'signedOut'] as const).filter((kind) => recording[kind] !== null)
  test.for(told)(
    `${agent}, as it was recorded, is not counted as at work: %s`,
    async (kind, { service }) => {
      await using place = await openStandIn(service, agent, { STAND_IN_REFUSES: kind })
      const { scene } = place
      await scene.launch(agent)
      const request = await scene.untilRequest(
        'refused',
        ({ endedAt, lastRelease }) => endedAt !== null || lastRelease !== null,
      )
      expect(describeExit(request)).toBe(recording[kind]?.became)
    },
  )
}
