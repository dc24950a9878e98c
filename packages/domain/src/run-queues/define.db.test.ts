import type { ToolRequest } from '@svc/contracts/mcp/tools'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { findViolations } from '../entities/run-queues/invariants.ts'
import { advanceQueues } from './planner/planner.ts'

async function scene(world: World) {
  const { alice, project, mission } = await world.missionWith(['a', 'b'])
  const queues = async () => (await alice.call('listRunQueues', { id: project.id })).queues
  const names = async () => (await queues()).map(({ name }) => name)
  const manage = (input: ToolRequest<'svc_manage_run_queue'>) =>
    alice.tool('svc_manage_run_queue', input)
  const create = async (name: string) => {
    const { queues: made } = await manage({ action: 'create', projectId: project.slug, name })
    return made[0]?.id ?? ''
  }
  return { alice, project, mission, queues, names, manage, create }
}

describe('queues of a project', () => {
  test(
    verifies('tool.svc_manage_run_queue.create', 'are created behind those that are there'),
    async ({ world }) => {
      const { names, create, manage, project } = await scene(world)
      await create('Night')
      await create('Weekend')
      expect(await names()).toEqual(['Default', 'Night', 'Weekend'])
      await expect(
        manage({ action: 'create', projectId: project.id, name: 'night' }),
      ).rejects.toMatchObject({ code: 'already_exists' })
    },
  )

  test(
    verifies('tool.svc_manage_run_queue.update', 'are renamed and paused'),
    async ({ world }) => {
      const { manage, create, queues } = await scene(world)
      const queueId = await create('Night')
      await manage({ action: 'update', queueId, name: 'Evening', paused: true })
      expect(await queues()).toMatchObject([
        { name: 'Default' },
        { name: 'Evening', state: 'paused' },
      ])
      await expect(manage({ action: 'update', queueId, name: 'default' })).rejects.toMatchObject({
        code: 'already_exists',
      })
      await manage({ action: 'update', queueId, paused: false })
      expect(await queues()).toMatchObject([{}, { state: 'idle', pausedAt: null }])
    },
  )

  test(
    verifies('tool.svc_manage_run_queue.delete', 'are deleted, their entries going to another'),
    async ({ world }) => {
      const { alice, mission, manage, create, queues, names } = await scene(world)
      const [a, b] = mission.objectives
      const queueId = await create('Night')
      await create('Weekend')
      await alice.call('queueObjective', { objectiveId: a.id })
      await alice.call('queueObjective', { objectiveId: b.id, queue: 'Night' })
      const moveEntriesTo = (await queues())[0]?.id ?? ''
      await expect(manage({ action: 'delete', queueId })).rejects.toMatchObject({
        code: 'queue_not_empty',
      })
      await expect(
        manage({ action: 'delete', queueId: moveEntriesTo, moveEntriesTo: queueId }),
      ).rejects.toMatchObject({ code: 'default_queue' })
      await manage({ action: 'delete', queueId, moveEntriesTo })
      expect(await names()).toEqual(['Default', 'Weekend'])
      const [first] = await queues()
      expect(first?.entries.map((entry) => entry.objectiveId)).toEqual([a.id, b.id])
      expect((await queues())[1]?.position).toBe(2)
    },
  )

  test(
    verifies(
      'tool.svc_manage_run_queue.reorder-queues',
      'are put into another order, the default one staying first',
    ),
    async ({ world }) => {
      const { project, manage, create, queues, names } = await scene(world)
      const night = await create('Night')
      const weekend = await create('Weekend')
      const first = (await queues())[0]?.id ?? ''
      const reorder = (queueIds: string[]) =>
        manage({ action: 'reorder_queues', projectId: project.id, queueIds })
      await reorder([first, weekend, night])
      expect(await names()).toEqual(['Default', 'Weekend', 'Night'])
      for (const wrong of [
        [night, first, weekend],
        [first, night],
        [first, night, night],
      ]) {
        await expect(reorder(wrong)).rejects.toMatchObject({
          code: 'order_conflict',
          next: { operation: 'listRunQueues', params: { id: project.slug } },
        })
      }
      expect(await names()).toEqual(['Default', 'Weekend', 'Night'])
    },
  )
})

describe('a queue that is deleted', () => {
  test(
    'while its entries are moved, queued, removed and planned leaves each in one queue',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, create, manage, queues } = await scene(world)
      const steps = ['c', 'd', 'e', 'f'] as const
      const { mission } = await world.missionWith(steps, { project })
      for (let round = 1; round <= 3; round += 1) {
        const queueId = await create('Night')
        const [first] = await queues()
        const queue = 'Night'
        const [c, d, e, f] = mission.objectives
        for (const { id } of [c, d]) await alice.call('queueObjective', { objectiveId: id, queue })
        const asked = await Promise.allSettled([
          alice.call('queueObjective', { objectiveId: c.id, front: true }),
          alice.call('queueObjective', { objectiveId: e.id, queue }),
          manage({ action: 'delete', queueId, moveEntriesTo: first?.id ?? '' }),
          alice.call('queueObjective', { objectiveId: d.id, queue: 'Default' }),
          alice.call('queueObjective', { objectiveId: f.id, queue }),
          alice.tool('svc_queue_objective', { objectiveId: d.id, remove: true }),
          alice.call('updateRunQueue', { id: queueId, name: 'Evening' }),
          advanceQueues(world.domain),
        ])
        const codes = asked.flatMap((one) =>
          one.status === 'rejected' ? [String((one.reason as { code?: string }).code)] : [],
        )
        expect(codes.filter((code) => code !== 'not_found')).toEqual([])
        expect(await findViolations(world.domain.db)).toEqual([])
        expect(await queues()).toMatchObject([{ name: 'Default' }])
      }
    },
  )

  test('has nothing in flight', async ({ world }) => {
    const { alice, mission, create, manage, queues } = await scene(world)
    const [a] = mission.objectives
    await alice.call('updateObjective', { id: a.id, assigned_agent: 'scripted' })
    const queueId = await create('Night')
    await alice.call('queueObjective', { objectiveId: a.id, queue: 'Night' })
    await alice.call('startRunQueue', { id: queueId })
    const moveEntriesTo = (await queues())[0]?.id ?? ''
    await expect(manage({ action: 'delete', queueId, moveEntriesTo })).rejects.toMatchObject({
      code: 'queue_busy',
    })
  })
})

describe('to define queues', () => {
  test(
    verifies('tool.svc_manage_run_queue.definitions-permission', 'takes project:update'),
    async ({ world }) => {
      const { project, queues } = await scene(world)
      const queueId = (await queues())[0]?.id ?? ''
      const vera = (input: ToolRequest<'svc_manage_run_queue'>) =>
        world.vera.tool('svc_manage_run_queue', input)
      const asked = { code: 'forbidden', details: { permission: 'project:update' } }
      const actions: ToolRequest<'svc_manage_run_queue'>[] = [
        { action: 'create', projectId: project.id, name: 'Night' },
        { action: 'update', queueId, name: 'Night' },
        { action: 'delete', queueId },
        { action: 'reorder_queues', projectId: project.id, queueIds: [queueId] },
      ]
      for (const input of actions) await expect(vera(input)).rejects.toMatchObject(asked)
    },
  )

  test(
    verifies('tool.svc_manage_run_queue.definitions-full-scope', 'takes a token of full scope'),
    async ({ world }) => {
      const { alice, project, create, names, queues } = await scene(world)
      const queueId = await create('Night')
      const weekend = await create('Weekend')
      const before = await queues()
      const permissions = ['project:read', 'project:update', 'execution_request:create'] as const
      const scoped = await alice.withToken({ permissions: [...permissions] })
      const refused = { code: 'forbidden', details: { scope: 'full' } }
      const queueIds = [before[0]?.id ?? '', weekend, queueId]
      const actions: ToolRequest<'svc_manage_run_queue'>[] = [
        { action: 'reorder_queues', projectId: project.id, queueIds },
        { action: 'update', queueId, name: 'Evening' },
        { action: 'delete', queueId },
        { action: 'create', projectId: project.id, name: 'Morning' },
      ]
      for (const input of actions) {
        await expect(scoped.tool('svc_manage_run_queue', input)).rejects.toMatchObject(refused)
      }
      await expect(
        scoped.call('createRunQueue', { id: project.id, name: 'Morning' }),
      ).rejects.toMatchObject(refused)
      expect(await queues()).toEqual(before)
      // the very same calls, of a token of full scope
      for (const input of actions) await alice.tool('svc_manage_run_queue', input)
      expect(await names()).toEqual(['Default', 'Weekend', 'Morning'])
    },
  )
})
