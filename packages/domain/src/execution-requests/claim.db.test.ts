import { randomUUID } from 'node:crypto'
import { leaseOf } from '../testing/runner.ts'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const many = (count: number) => Array.from({ length: count }, (_, index) => `step ${index + 1}`)
const parallel = { allowParallelObjectives: true }

describe('a claim', () => {
  test(
    verifies('claim.marks-claimed', 'ties the request to the runner for a lease'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { executionRequest } = await alice.launch(mission.objectives[0])
      const runner = await world.connectedRunner({ id: mission.projectId }, { label: 'laptop' })

      const answer = await runner.claim()

      expect(answer).toMatchObject({
        request: {
          executionRequest: {
            id: executionRequest.id,
            status: 'claimed',
            generation: 1,
            runnerLabel: 'laptop',
          },
          objective: { id: mission.objectives[0].id, instruction: 'write the docs' },
          mission: { id: mission.id },
          siblings: [],
        },
        leaseToken: expect.any(String),
        leaseSeconds: world.domain.seconds.lease,
      })
      expect((await runner.claim()).request).toBeNull()
      expect(await alice.eventsOf(mission)).toMatchObject([
        { type: 'execution_claimed', actor: { role: 'runner' } },
        { type: 'execution_requested' },
      ])
    },
  )

  test(
    verifies('claim.oldest-first', 'takes the oldest request that is queued'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(many(5), parallel)
      const launchedInOrder = [3, 0, 4, 1, 2].map((index) => mission.objectives[index]!)
      for (const objective of launchedInOrder) await alice.launch(objective)
      const runner = await world.connectedRunner({ id: mission.projectId })

      const taken: string[] = []
      for (const _ of launchedInOrder) {
        const { request } = await runner.claim()
        taken.push(request?.objective.id ?? 'nothing')
      }

      expect(taken).toEqual(launchedInOrder.map((objective) => objective.id))
    },
  )

  test(
    verifies('claim.project-scope', 'takes nothing of a project that it does not name'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      await alice.launch(mission.objectives[0])
      const other = await world.projectWith()
      const runner = await world.connectedRunner(other)

      expect((await runner.claim()).request).toBeNull()
      expect((await runner.claim({ projectIds: [mission.projectId] })).request).not.toBeNull()
    },
  )

  test('of all projects stays within those of its token', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await alice.launch(mission.objectives[0])
    const mine = await world.missionWith(['write the tests'])
    await alice.launch(mine.mission.objectives[0])
    const bound = await alice.withToken({ preset: 'full', projectIds: [mine.project.id] })
    const runner = await world.connectedRunner(mine.project, { owner: alice })

    const claim = { ...claimOf(runner.fingerprint, runner.instanceId), projectIds: 'all' as const }
    const { request } = await bound.call('claimExecutionRequest', claim)

    expect(request?.mission.id).toBe(mine.mission.id)
    expect(
      (await bound.call('claimExecutionRequest', { ...claim, claimId: randomUUID() })).request,
    ).toBeNull()
    const named = { ...claim, claimId: randomUUID(), projectIds: [mission.projectId] }
    await expect(bound.call('claimExecutionRequest', named)).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      world.carla.call('claimExecutionRequest', { ...named, claimId: randomUUID() }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('takes nothing that needs an agent which the runner does not have', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs', 'ship it'], parallel)
    await alice.launch(mission.objectives[0], { agent: 'rare' })
    await alice.launch(mission.objectives[1])
    const runner = await world.connectedRunner({ id: mission.projectId })

    expect((await runner.claim()).request?.objective.id).toBe(mission.objectives[1].id)
    expect((await runner.claim()).request).toBeNull()
  })

  test('takes nothing whose resource the runner cannot use', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['write the docs'], {
      resources: [{ resourceKey: 'web' }],
    })
    const web = { projectId: project.id, resourceKey: 'web' }
    const owner = await world.connectedRunner(project, { resources: [web] })
    const other = await world.connectedRunner(project)
    await alice.launch(mission.objectives[0])

    expect((await other.claim()).request).toBeNull()
    const missing = [{ ...web, path: '/gone', state: 'missing' as const }]
    expect((await owner.claim({ resources: missing })).request).toBeNull()

    const { request } = await owner.claim()
    expect(request).toMatchObject({
      executionRequest: { resourceKey: 'web' },
      resources: [{ resourceKey: 'web', state: 'connected', path: '/src/web' }],
    })
  })

  test('sent again gets the same run and the same lease', async ({ world }) => {
    const { alice, mission } = await world.missionWith(many(2), parallel)
    for (const objective of mission.objectives) await alice.launch(objective)
    const runner = await world.connectedRunner({ id: mission.projectId })
    const claimId = randomUUID()
    const first = await runner.claim({ claimId })

    const again = await runner.claim({ claimId })
    await runner.launching(leaseOf(again))
    const later = await runner.claim({ claimId })

    expect(leaseOf(again)).toEqual(leaseOf(first))
    expect(leaseOf(later)).toEqual(leaseOf(first))
    expect(
      (await alice.eventsOf(mission)).filter((one) => one.type === 'execution_claimed'),
    ).toHaveLength(1)
  })

  test('sent again after the agent was started still gets the same lease', async ({ world }) => {
    const { alice, mission } = await world.missionWith(many(2), parallel)
    for (const objective of mission.objectives) await alice.launch(objective)
    const runner = await world.connectedRunner({ id: mission.projectId })
    const claimId = randomUUID()
    const lease = await runner.take({ claimId })
    await runner.launching(lease)
    await runner.launched(lease)

    expect(leaseOf(await runner.claim({ claimId }))).toEqual(lease)
  })

  test(
    'sent again after its run is over takes nothing else',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(many(2), parallel)
      for (const objective of mission.objectives) await alice.launch(objective)
      const runner = await world.connectedRunner({ id: mission.projectId })
      const claimId = randomUUID()
      await runner.failed(await runner.take({ claimId }))

      expect((await runner.claim({ claimId })).request).toBeNull()
      expect((await runner.claim()).request).not.toBeNull()
    },
  )

  test('of another runner gets no lease by the same id', async ({ world }) => {
    const { alice, mission } = await world.missionWith(many(2), parallel)
    for (const objective of mission.objectives) await alice.launch(objective)
    const project = { id: mission.projectId }
    const claimId = randomUUID()
    await (await world.connectedRunner(project)).take({ claimId })
    const other = await world.connectedRunner(project)

    expect((await other.claim({ claimId })).request).toBeNull()
  })

  test(
    'sent again after its run was given back takes what is due anew',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      await alice.launch(mission.objectives[0])
      const runner = await world.connectedRunner({ id: mission.projectId })
      const claimId = randomUUID()
      const first = await runner.take({ claimId })
      await runner.released(first, { reason: 'runner_draining' })

      const second = await runner.take({ claimId })

      expect(second.id).toBe(first.id)
      expect(second.leaseToken).not.toBe(first.leaseToken)
    },
  )

  test(
    'of a runner that was removed is refused and leaves it removed',
    { tags: 'large' },
    async ({ world }) => {
      const project = await world.projectWith()
      const runner = await world.connectedRunner(project)
      await world.domain.db
        .updateTable('runners')
        .set({ removed_at: new Date() })
        .where('fingerprint', '=', runner.fingerprint)
        .execute()

      const written = await world.rowsWrittenBy(() => runner.claim())

      expect(written).toMatchObject({ rows: [], refusal: { code: 'runner_removed' } })
    },
  )
})

describe('claims at once', () => {
  test(
    verifies('claim.atomic', 'never give one request to two of 64 runners'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(many(48), parallel)
      for (const objective of mission.objectives) await alice.launch(objective)
      const runner = await world.connectedRunner({ id: mission.projectId })
      const fingerprints = many(64).map((name) => `device-${name}`)

      const answers = await Promise.all(
        fingerprints.map((fingerprint) =>
          runner.claim({ device: { fingerprint, label: 'x', platform: 'linux', arch: 'x64' } }),
        ),
      )

      const taken = answers.flatMap(({ request }) => (request ? [request.executionRequest.id] : []))
      expect(taken).toHaveLength(48)
      expect(new Set(taken).size).toBe(48)
    },
  )

  test(
    'of one lost answer, sent many times, take one request',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(many(4), parallel)
      for (const objective of mission.objectives) await alice.launch(objective)
      const runner = await world.connectedRunner({ id: mission.projectId })
      const claimId = randomUUID()

      const answers = await Promise.all(many(8).map(() => runner.claim({ claimId })))

      expect(new Set(answers.map((answer) => leaseOf(answer).leaseToken)).size).toBe(1)
    },
  )
})

describe('a claim that waits', () => {
  test('gets a request that is launched meanwhile', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const runner = await world.connectedRunner({ id: mission.projectId })

    const waiting = runner.claim({ waitSeconds: 25 })
    await alice.launch(mission.objectives[0])

    expect(await waiting).toMatchObject({
      request: { objective: { id: mission.objectives[0].id } },
    })
  })

  test('goes to one of two waiting runners', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const project = { id: mission.projectId }
    const runners = [await world.connectedRunner(project), await world.connectedRunner(project)]

    const waiting = runners.map((runner) => runner.claim({ waitSeconds: 2 }))
    await alice.launch(mission.objectives[0])

    const taken = (await Promise.all(waiting)).filter((answer) => answer.request !== null)
    expect(taken).toHaveLength(1)
  })

  test('ends with nothing when its time is over, however short it is', async ({ world }) => {
    const runner = await world.connectedRunner(await world.projectWith())

    expect(await runner.claim({ waitSeconds: 0.001 })).toMatchObject({
      request: null,
      waited: true,
      nextPollSeconds: 1,
    })
  })

  test('ends when its caller has gone, and takes nothing more', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const runner = await world.connectedRunner({ id: mission.projectId })
    const gone = new AbortController()

    const waiting = runner.claim({ waitSeconds: 25 }, { signal: gone.signal })
    gone.abort()
    await waiting
    await alice.launch(mission.objectives[0])

    expect((await alice.requestsOf(mission))[0]?.status).toBe('queued')
  })
})

function claimOf(fingerprint: string, instanceId: string) {
  return {
    claimId: randomUUID(),
    device: { fingerprint, label: 'x', platform: 'linux', arch: 'x64' },
    runner: { instanceId, version: '1.0.0', capacity: { max: 4, running: 0 } },
    agents: [{ key: 'scripted', version: null, path: '/bin/scripted' }],
    resources: [],
  }
}
