import { commandOf } from '@svc/contracts/next-step'
import type { Person } from '../testing/people.ts'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { inTransaction } from '../commit/transaction.ts'
import { lockRun } from '../lifecycle/lock-run.ts'
import { launchStep, notifyOfObjective } from './notify-of-objective.ts'

/** Whoever launches here is told of this project alone. */
async function scene(world: World) {
  const { mission, project } = await world.missionWith(['a', 'b'])
  const launcher = await world.person('admin')
  const runner = await world.connectedRunner(project, { owner: launcher })
  const [objective, next] = mission.objectives
  const start = async () => {
    await launcher.launch(objective)
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    const agent = runner.agent(lease)
    return { lease, agent }
  }
  return { launcher, mission, project, runner, objective, next, start }
}

/** What it says and the command that it names, of those that are not read. */
async function unreadNotices(person: Person, kind: string) {
  const { notifications } = await person.call('listNotifications', { state: 'unread' })
  return notifications
    .filter((one) => one.kind === kind)
    .map(({ title, next }) => `${title} -> ${next && commandOf(next)}`)
}

describe('whoever launched is told, until its cause has gone,', () => {
  test('of a run that did not start: until it is launched again', async ({ world }) => {
    const { launcher, objective, runner } = await scene(world)
    await launcher.launch(objective)
    await runner.failed(await runner.take())
    const id = objective.displayId
    expect(await unreadNotices(launcher, 'run_failed')).toEqual([
      `${id} did not start: agent_not_found -> svc launch ${id} --agent scripted`,
    ])
    expect(await unreadNotices(world.bob, 'run_failed')).toEqual([])
    await launcher.launch(objective)
    expect(await unreadNotices(launcher, 'run_failed')).toEqual([])
    await runner.failed(await runner.take())
    expect(await unreadNotices(launcher, 'run_failed')).toHaveLength(1)
  })

  test('of one that ended without a delivery: until it goes on', async ({ world }) => {
    const { launcher, objective, runner, start } = await scene(world)
    const { lease, agent } = await start()
    await agent.attach()
    await runner.exited(lease)
    const id = objective.displayId
    expect(await unreadNotices(launcher, 'run_ended')).toEqual([
      `${id} is not done: its agent ended without a delivery -> svc resume ${id}`,
    ])
    await launcher.resume(objective)
    expect(await unreadNotices(launcher, 'run_ended')).toEqual([])
  })

  test('of one that was lost: until it is heard of again, and anew when it is lost again', async ({
    world,
  }) => {
    const { launcher, objective, start } = await scene(world)
    const { agent } = await start()
    await agent.attach()
    const lose = async () => {
      await world.advance(1000)
      await world.settle()
    }
    await lose()
    const id = objective.displayId
    const lost = [
      `${id} is not done: nothing was heard of its agent for too long -> svc resume ${id}`,
    ]
    expect(await unreadNotices(launcher, 'run_lost')).toEqual(lost)
    await agent.update()
    expect(await unreadNotices(launcher, 'run_lost')).toEqual([])
    await lose()
    expect(await unreadNotices(launcher, 'run_lost')).toEqual(lost)
    await agent.deliver()
    expect(await unreadNotices(launcher, 'run_lost')).toEqual([])
  })

  test('of one whose objective is deleted: no longer', async ({ world }) => {
    const { launcher, objective, mission, runner } = await scene(world)
    await launcher.launch(objective)
    await runner.failed(await runner.take())
    await launcher.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    expect(await unreadNotices(launcher, 'run_failed')).toEqual([])
  })

  test('of one that ended after its objective was deleted: as read', async ({ world }) => {
    const { launcher, objective, start } = await scene(world)
    const { lease } = await start()
    await inTransaction(world, async (tx) => {
      const run = await lockRun(tx, world.workspaceId, lease.id)
      const deleted = { ...run.objective, deleted_at: new Date(0) }
      const what = 'is not done'
      const next = launchStep(run, undefined)
      await notifyOfObjective(tx, { ...run, objective: deleted }, { kind: 'run_ended', what, next })
    })
    expect(await unreadNotices(launcher, 'run_ended')).toEqual([])
    const { notifications } = await launcher.call('listNotifications', { state: 'all' })
    expect(notifications).toMatchObject([
      {
        kind: 'run_ended',
        title: `${objective.displayId} is not done`,
        readAt: expect.any(String),
      },
    ])
  })

  test('of any of them: until the mission is closed', async ({ world }) => {
    const { launcher, next, mission, runner, start } = await scene(world)
    const { agent } = await start()
    await agent.attach()
    await agent.deliver()
    expect(await unreadNotices(launcher, 'awaiting_approval')).toHaveLength(1)
    await launcher.call('acceptMission', { id: mission.id })
    expect(await unreadNotices(launcher, 'awaiting_approval')).toEqual([])

    await launcher.call('moveMission', { id: mission.id, statusId: 'execute' })
    await launcher.launch(next)
    await runner.failed(await runner.take())
    expect(await unreadNotices(launcher, 'run_failed')).toHaveLength(1)
    await launcher.call('moveMission', { id: mission.id, statusId: 'cancelled' })
    expect(await unreadNotices(launcher, 'run_failed')).toEqual([])
  })

  test('of what a late delivery to a closed mission leads to: as read', async ({ world }) => {
    const { launcher, mission, start } = await scene(world)
    const { agent } = await start()
    await agent.attach()
    await world.advance(1000)
    await world.settle()
    await launcher.call('moveMission', { id: mission.id, statusId: 'cancelled' })
    await agent.deliver()
    const { notifications } = await launcher.call('listNotifications', { state: 'all' })
    const told = notifications.filter(({ kind }) => kind === 'awaiting_approval')
    expect(told).toMatchObject([{ readAt: expect.any(String) }])
    expect(await unreadNotices(launcher, 'run_lost')).toEqual([])
  })

  test('of a question: until it is answered, or taken back', async ({ world }) => {
    const { launcher, objective, start } = await scene(world)
    const { agent } = await start()
    await agent.attach()
    const { questionId } = await agent.ask()
    const id = objective.displayId
    expect(await unreadNotices(launcher, 'question')).toEqual([
      `scripted asks about ${id} -> svc questions answer ${id} --text-file -`,
    ])
    await launcher.answer(questionId)
    expect(await unreadNotices(launcher, 'question')).toEqual([])
    await agent.update()
    await agent.ask()
    await agent.ask({ question: 'Something else?', supersede: true })
    expect(await unreadNotices(launcher, 'question')).toHaveLength(1)
    await agent.deliver()
    expect(await unreadNotices(launcher, 'question')).toEqual([])
  })

  test('of an objective that awaits approval: until that is given', async ({ world }) => {
    const { launcher, next, start } = await scene(world)
    const { agent } = await start()
    await agent.attach()
    await agent.deliver()
    const id = next.displayId
    expect(await unreadNotices(launcher, 'awaiting_approval')).toEqual([
      `${id} awaits approval -> svc launch ${id} --agent scripted`,
    ])
    await launcher.launch(next)
    expect(await unreadNotices(launcher, 'awaiting_approval')).toEqual([])
  })

  test('of a paused queue, where it queued: until the queue goes on', async ({ world }) => {
    const { launcher, objective, project, runner } = await scene(world)
    await launcher.call('updateObjective', { id: objective.id, assigned_agent: 'scripted' })
    const { queue } = await launcher.call('queueObjective', { objectiveId: objective.id })
    await launcher.call('startRunQueue', { id: queue.id })
    await runner.failed(await runner.take())
    expect(await unreadNotices(launcher, 'queue_paused')).toEqual([
      `The queue ${queue.name} is paused at ${objective.displayId}: run failed -> svc queue list ${project.slug}`,
    ])
    await launcher.call('resumeRunQueue', { id: queue.id })
    expect(await unreadNotices(launcher, 'queue_paused')).toEqual([])
  })
})

describe('a launch that no runner can take', () => {
  test('is told of once, five minutes on, until one has taken it', async ({ world }) => {
    const { launcher, objective, project } = await scene(world)
    await launcher.launch(objective, { agent: 'rare' })
    await world.advance(290)
    await world.settle()
    expect(await unreadNotices(launcher, 'no_runner')).toEqual([])
    await world.advance(20)
    await Promise.all([world.settle(), world.settle()])
    await world.settle()
    expect(await unreadNotices(launcher, 'no_runner')).toEqual([
      `${objective.displayId} waits: no runner that is there has the agent rare -> svc runner status`,
    ])
    const able = await world.connectedRunner(project, { agents: ['rare'] })
    await able.take()
    expect(await unreadNotices(launcher, 'no_runner')).toEqual([])
  })

  test('is told of where it names a runner that is away, though others could take it', async ({
    world,
  }) => {
    const { launcher, objective, project } = await scene(world)
    await world.connectedRunner(project, { label: 'attic' })
    await launcher.launch(objective, { runner: 'attic' })
    await world.advance(310)
    await world.connectedRunner(project, { label: 'box' })
    await world.settle()
    expect(await unreadNotices(launcher, 'no_runner')).toEqual([
      `${objective.displayId} waits: no runner that is there is called attic and has the agent scripted -> svc runner status`,
    ])
  })

  test('is not told of while a runner that could take it is busy, nor before that is away for long', async ({
    world,
  }) => {
    const { launcher, objective, runner } = await scene(world)
    await launcher.launch(objective)
    await world.advance(290)
    await runner.heartbeat()
    await world.advance(290)
    await world.settle()
    expect(await unreadNotices(launcher, 'no_runner')).toEqual([])
    await world.advance(20)
    await world.settle()
    expect(await unreadNotices(launcher, 'no_runner')).toHaveLength(1)
  })

  test('is told of where it goes on with a run and that machine alone is away', async ({
    world,
  }) => {
    const { launcher, objective, project, runner, start } = await scene(world)
    const { lease, agent } = await start()
    await agent.attach()
    await runner.exited(lease)
    await launcher.resume(objective)
    await world.advance(310)
    await world.connectedRunner(project)
    await world.settle()
    expect(await unreadNotices(launcher, 'no_runner')).toEqual([
      `${objective.displayId} waits: no runner that is there is the one that it ran on -> svc runner status`,
    ])
  })
})
