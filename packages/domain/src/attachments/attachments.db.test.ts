import { createHash } from 'node:crypto'
import { restContracts } from '@svc/contracts/rest'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { bytes, file } from './testing/attachment-files.ts'

const namesOf = async ({ alice }: World, { id }: { id: string }) =>
  (await alice.call('listAttachments', { id })).attachments.map(({ name }) => name)

describe('the attachments of an objective', () => {
  test('are listed, downloaded as they came, and deleted', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const [objective, other] = mission.objectives
    const id = objective.displayId
    const { attachment } = await alice.call('addAttachment', { id, ...file })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(attachment).toMatchObject({ name: file.name, mediaType: 'image/png', size: 4, sha256 })
    expect((await alice.call('listAttachments', { id })).attachments).toEqual([attachment])
    expect(await namesOf(world, other)).toEqual([])

    const download = await alice.call('getAttachment', { id: attachment.id })
    expect(Buffer.from(download.bytes).equals(bytes)).toBe(true)
    expect(download.headers).toEqual({
      'content-disposition': "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.png",
    })

    await alice.call('deleteAttachment', { id: attachment.id })
    expect(await namesOf(world, objective)).toEqual([])
    const { entries } = await alice.call('listAudit', { action: 'attachment.deleted' })
    expect(entries[0]).toMatchObject({ targetId: attachment.id, details: { name: file.name } })
    for (const call of ['getAttachment', 'deleteAttachment'] as const) {
      await expect(alice.call(call, { id: attachment.id })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
  })

  test('have names of their own, whatever the case of their letters', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { id } = mission.objectives[0]
    const names = ['plan.md', 'Plan.md', 'PLAN.MD', 'plan.md']
    const results = await Promise.allSettled(
      names.map((name) => alice.call('addAttachment', { id, ...file, name })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of results) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'already_exists' })
    }
  })

  test(
    verifies('attach.context', 'reach the agent of that objective with all the rest'),
    async ({ world }) => {
      const resources = [{ resourceKey: 'web' }]
      const { alice, project, mission } = await world.missionWith(['a', 'b', 'c'], { resources })
      const [before, objective, other] = mission.objectives
      const { attachment } = await alice.call('addAttachment', { id: objective.id, ...file })
      await alice.call('addAttachment', { id: other.id, ...file })
      const state = { id: mission.id, key: 'port', value: 4600, expectedRevision: 0 }
      await alice.call('setSharedState', state)
      const linked = [{ projectId: project.id, resourceKey: 'web' }]
      const runner = await world.connectedRunner(project, { resources: linked })
      const artifacts = [{ type: 'note', label: 'Note', contentText: 'x' }]
      await (await world.attachedRun(before, runner)).agent.deliver({ artifacts })
      const { agent } = await world.startedRun(objective, runner)
      const context = await agent.attach()
      expect(context.attachments).toEqual([attachment])
      expect(context.sharedState).toMatchObject([{ key: 'port', value: 4600 }])
      expect(context).toMatchObject({
        currentObjective: { id: objective.id },
        previousObjectives: [{ id: before.id }],
        futureObjectives: [{ id: other.id }],
        history: [{ type: 'delivery' }],
        artifacts: [{ label: 'Note' }],
        projectResources: [{ resourceKey: 'web', path: '/src/web' }],
      })
      expect(context.agentInstructions).not.toBe('')
    },
  )

  test('are changed by those who may change the objective, and read by those who may', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { id } = mission.objectives[0]
    const { attachment } = await alice.call('addAttachment', { id, ...file })
    await world.vera.call('getAttachment', { id: attachment.id })
    for (const [person, code] of [
      [world.vera, 'forbidden'],
      [world.carla, 'not_found'],
    ] as const) {
      await expect(person.call('addAttachment', { id, ...file })).rejects.toMatchObject({ code })
      await expect(person.call('deleteAttachment', { id: attachment.id })).rejects.toMatchObject({
        code,
      })
    }
    await expect(world.carla.call('getAttachment', { id: attachment.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test.each(['..', '.env', 'a/b', 'a\\b', 'a\nb', 'a:b', ' ', 'x'.repeat(151), 'a.', 'a\u202eb'])(
    'have no such name: %j',
    (name) => {
      expect(restContracts.addAttachment.query.safeParse({ name }).success).toBe(false)
    },
  )
})
