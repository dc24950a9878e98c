import type { Objective } from '@svc/contracts/objective'
import { type Lease, type TestRunner, leaseOf } from '../testing/runner.ts'
import { test } from '../testing/world.ts'
import { expect } from 'vitest'

const many = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Claims until nothing is left to claim. One run in three is given back once, one in five exits undelivered. */
async function work(runner: TestRunner, given: Set<string>): Promise<void> {
  for (;;) {
    const answer = await runner.claim({ waitSeconds: 5 })
    if (!answer.request) return
    const lease = leaseOf(answer)
    const index = Number(answer.request.objective.instruction)
    if (index % 3 === 0 && !given.has(lease.id)) {
      given.add(lease.id)
      await runner.released(lease, { reason: 'runner_draining' })
      continue
    }
    await run(runner, lease, index % 5 !== 0)
  }
}

async function run(runner: TestRunner, lease: Lease, delivers: boolean): Promise<void> {
  const agent = runner.agent(lease)
  await runner.launching(lease, 'a-mission-1')
  // an agent may attach before its supervisor has reported it
  await Promise.all([runner.launched(lease), agent.attach()])
  await Promise.all([agent.update(), runner.heartbeat(lease), runner.log(lease, 0, 'x')])
  if (delivers) await agent.deliver()
  await runner.exited(lease)
}

test('a mission that many launch, claim, report on and sweep at once ends as one would', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(many(9).map(String), {
    allowParallelObjectives: true,
  })
  const project = { id: mission.projectId }
  const runners = await Promise.all(many(3).map(() => world.connectedRunner(project)))
  const given = new Set<string>()

  await Promise.all([
    ...mission.objectives.map((one: Objective) => alice.launch(one)),
    ...runners.map((runner) => work(runner, given)),
    ...many(3).map(() => world.settle()),
  ])

  const { objectives } = await alice.mission(mission)
  for (const one of objectives.filter((each) => each.instruction !== '')) {
    const ended = Number(one.instruction) % 5 === 0 ? 'exited' : 'delivered'
    const { state, lastOutcome } = one
    expect([one.instruction, state === 'complete' ? 'delivered' : lastOutcome]).toEqual([
      one.instruction,
      ended,
    ])
  }
  expect(objectives.map((one) => one.position)).toEqual(objectives.map((_, index) => index + 1))
  const requests = await alice.requestsOf(mission)
  expect(requests).toHaveLength(9)
  expect(requests.every((one) => one.endedAt !== null)).toBe(true)
})
