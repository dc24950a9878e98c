import { leaseOf } from '@svc/domain/testing/runner'
import { atOnce, countOf, require } from './at-once.ts'
import { type Race, attachedBeside, many, parallel } from './scene.ts'

/** What becomes of runs that many launch, claim, end and report on at once. */
export const runRaces = {
  async 'a parallel flag that is toggled among launches lets through as many as it should'(world) {
    const { alice, mission } = await world.missionWith(many(12).map(String))
    const toggles = many(8).map((index) => () => {
      const allowParallelObjectives = index % 2 === 0
      return alice.call('updateMission', { id: mission.id, allowParallelObjectives })
    })
    const launches = mission.objectives.map((one) => () => alice.launch(one))
    const came = await atOnce([...launches, ...toggles])
    const launched = came.slice(0, launches.length)
    const { objectives } = await alice.mission(mission)
    const active = objectives.filter(({ state }) => state === 'launching')
    require(countOf(launched, 'done') === active.length, 'a launch was answered and is not there')
    require(active.length > 0, 'the first of them meets a mission in which nothing runs')
    const others = launched.filter((one) => one !== 'done' && one !== 'mission_busy')
    require(others.length === 0, `a launch was refused with ${others.join()}`)
  },

  async 'a cancel and a delivery at once: the delivery wins'(world) {
    for (let round = 0; round < 4; round += 1) {
      const { alice, mission, agent, lease } = await attachedBeside(world, {})
      const cancels = many(4).map(
        () => () => alice.call('cancelExecutionRequest', { id: lease.id }),
      )
      const came = await atOnce([...cancels, () => agent.deliver()])
      require(countOf(came, 'done') === 5, `one was refused: ${came.join()}`)
      const [a] = mission.objectives
      require((await alice.objective(a)).state === 'complete', 'the objective is complete')
    }
  },

  async 'one mission launched by 32, and attached to by 16, runs once'(world) {
    const { alice, mission, project } = await world.missionWith(many(32).map(String))
    const runner = await world.connectedRunner(project)
    const came = await atOnce(mission.objectives.map((one) => () => alice.launch(one)))
    require(countOf(came, 'done') === 1, 'one launch wins')
    require(countOf(came, 'mission_busy') ===
      31, 'the others are answered that the mission is busy')
    const lease = await runner.take()
    await runner.launching(lease)
    await atOnce([
      () => runner.launched(lease),
      ...many(16).map(() => () => runner.agent(lease).attach()),
    ])
  },

  async 'what 64 runners claim at once is claimed once each, and all of it'(world, claims) {
    const { alice } = world
    const project = await world.projectWith()
    const runner = await world.connectedRunner(project)
    for (let left = claims; left > 0; left -= 50) {
      const { mission } = await world.missionWith(many(Math.min(left, 50)).map(String), {
        project,
        ...parallel,
      })
      await Promise.all(mission.objectives.map((objective) => alice.launch(objective)))
    }
    const taken: string[] = []
    await atOnce(
      many(64).map((name) => async () => {
        const device = { fingerprint: `device-${name}`, label: 'x', platform: 'linux', arch: 'x64' }
        for (;;) {
          const answer = await runner.claim({ device })
          if (!answer.request) return
          taken.push(leaseOf(answer).id)
        }
      }),
    )
    require(new Set(taken).size === taken.length, 'one was given to two')
    require(taken.length === claims, `${claims - taken.length} were not claimed`)
  },

  async 'recorded work, a delivery and a cancel at once: the objective is delivered once'(world) {
    const { bob } = world
    for (let round = 0; round < 4; round += 1) {
      const { alice, mission, agent, lease } = await attachedBeside(world, {})
      const objectiveId = mission.objectives[0].displayId
      const record = (by: Pick<typeof bob, 'protocol'>) => () =>
        by.protocol('record-work', { objectiveId, summary: 'Done by hand.' })
      const came = await atOnce([
        record(bob),
        () => agent.deliver(),
        () => alice.call('cancelExecutionRequest', { id: lease.id }),
        record(alice),
        record(bob),
      ])
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      require(deliveries.length === 1, `${deliveries.length} deliveries: ${came.join()}`)
      require((await alice.objective(mission.objectives[0])).state === 'complete', 'it is complete')
    }
  },

  async 'two daemons that report launched and exited at once: the present one alone is heard'(
    world,
  ) {
    for (let round = 0; round < 4; round += 1) {
      const { alice, mission, project } = await world.missionWith(['a'])
      const [before, now] = [
        await world.connectedRunner(project),
        await world.connectedRunner(project),
      ]
      const { executionRequest } = await alice.launch(mission.objectives[0])
      const old = await before.take()
      await before.launching(old)
      const reports = (runner: typeof before, lease: typeof old) => [
        () => runner.launched(lease),
        () => runner.exited(lease),
      ]
      if (round % 2 === 0) {
        await atOnce([...reports(before, old), ...reports(before, old)])
        const { endedAt } = await alice.request(executionRequest)
        require(endedAt !== null, 'whatever came first, the run has ended')
        continue
      }
      await before.released(old, { reason: 'runner_draining' })
      const lease = await now.take()
      await now.launching(lease)
      const came = await atOnce([...reports(before, old), ...reports(now, lease)])
      require(countOf(came.slice(0, 2), 'lease_lost') ===
        2, `the old one was heard: ${came.join()}`)
      require((await alice.request(executionRequest)).endedAt !== null, 'the run has ended')
    }
  },
} satisfies Record<string, Race>
