import { ServiceError } from '@svc/contracts/errors'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { refusalTo } from './offered.ts'

async function failedRun(world: World) {
  const launcher = await world.person('member')
  const { mission, project } = await world.missionWith(['a'])
  const runner = await world.connectedRunner(project)
  await launcher.launch(mission.objectives[0])
  const lease = await runner.take()
  const next = { operation: 'trustLaunchSettings', params: { project: project.slug } } as const
  const failure = {
    code: 'launch_config_untrusted',
    message: 'Not trusted.',
    phase: 'prepare',
  } as const
  await runner.failed(lease, { ...failure, next })
  const [request] = await launcher.requestsOf(mission)
  return { launcher, mission, failure, next, id: request?.id ?? '' }
}

describe('a step that helps', () => {
  test('is told of a run to those alone who may take it', async ({ world }) => {
    const { id, failure, next } = await failedRun(world)
    const seenBy = async (person: typeof world.alice) =>
      (await person.call('getExecutionRequest', { id })).executionRequest.failure
    expect(await seenBy(world.alice)).toEqual({ ...failure, next })
    expect(await seenBy(world.vera)).toEqual(failure)
  })

  test('stands in a notification while its person may take it', async ({ world }) => {
    const { launcher, next } = await failedRun(world)
    const notices = async () => (await launcher.call('listNotifications', {})).notifications
    expect(await notices()).toMatchObject([{ kind: 'run_failed', next }])
    const { userId } = await launcher.actor()
    await sql`update memberships set role = 'viewer' where user_id = ${userId}`.execute(
      world.domain.db,
    )
    const [notice] = await notices()
    expect(notice).toMatchObject({ kind: 'run_failed' })
    expect(notice).not.toHaveProperty('next')
  })

  test('is left out of a refusal to who may not take it', async ({ world }) => {
    const { mission } = await world.missionWith(['a', 'b'])
    const [, second] = mission.objectives
    await world.alice.launch(mission.objectives[0])
    const busy = await world.alice.launch(second).catch((error: unknown) => error)
    expect(busy).toMatchObject({ code: 'mission_busy', next: { operation: 'updateMission' } })
    const refused = refusalTo(await world.vera.actor(), busy)
    expect(refused).toBeInstanceOf(ServiceError)
    expect(refused).toMatchObject({ code: 'mission_busy', next: undefined })
    expect(refusalTo(await world.alice.actor(), busy)).toBe(busy)
    // one that only reads stays
    const missing = world.vera.call('getMission', { id: 'none:1' })
    await expect(missing).rejects.toMatchObject({ next: { operation: 'listMissions' } })
  })
})
