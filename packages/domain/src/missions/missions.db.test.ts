import { usesWorktrees } from '@svc/contracts/assignment'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('a mission', () => {
  test(
    verifies(['mission.fields', 'mission.status-shape'], 'has its fields under their names'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'], {
        title: 'Fix it',
        priority: 'high',
        auto_advance: true,
      })
      const read = await alice.mission(mission)
      expect(read).toMatchObject({
        id: mission.id,
        displayId: expect.stringMatching(/:1$/),
        title: 'Fix it',
        status: { id: expect.any(String), type: 'draft', label: 'Backlog' },
        phase: 'draft',
        priority: 'high',
        active_branch: null,
        allowParallelObjectives: false,
        auto_advance: true,
      })
      expect(new Date(read.createdAt).toISOString()).toBe(read.createdAt)
    },
  )

  test(
    verifies('mission.active-branch', 'learns its branch when the runner has prepared it'),
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a'])
      await alice.launch(mission.objectives[0])
      const runner = await world.connectedRunner(project)
      const lease = await runner.take()
      expect((await alice.mission(mission)).active_branch).toBeNull()
      await runner.launching(lease, 'a-mission-1')
      expect((await alice.mission(mission)).active_branch).toBe('a-mission-1')
    },
  )

  test(
    verifies('objective.branch-recorded', "keeps its branch when an objective's own is recorded"),
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a', 'b'], {
        allowParallelObjectives: true,
      })
      const [a, b] = mission.objectives
      const runner = await world.connectedRunner(project)
      await alice.launch(a)
      await runner.launching(await runner.take(), 'a-mission-1')
      await alice.launch(b)
      const branch = `a-mission-1-${b.displayId.slice(b.displayId.indexOf('.') + 1)}`
      await runner.launching(await runner.take(), branch, { missionBranch: 'a-mission-1' })
      expect(await alice.objective(b)).toMatchObject({ branch })
      expect(await alice.mission(mission)).toMatchObject({ active_branch: 'a-mission-1' })
    },
  )

  test(
    verifies(
      ['mission.ordered-objectives', 'objective.display-id-format', 'objective.fields'],
      'keeps its objectives in the order in which they were added',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['one', 'two'])
      await alice.call('addObjectives', {
        id: mission.displayId,
        objectives: [{ instruction: '# Three\nmore', title: 'The third' }, { instruction: 'four' }],
      })
      const { objectives } = await alice.mission(mission)
      expect(objectives.map((one) => [one.position, one.title, one.instruction])).toEqual([
        [1, 'one', 'one'],
        [2, 'two', 'two'],
        [3, 'The third', '# Three\nmore'],
        [4, 'four', 'four'],
      ])
      for (const one of objectives) {
        expect(one.displayId).toMatch(
          new RegExp(`^${mission.displayId}\\.[0-9a-hjkmnp-tv-z]{4,5}$`),
        )
        expect(one).toMatchObject({
          state: 'draft',
          assigned_agent: null,
          model: null,
          reasoning_effort: null,
          resource_key: null,
          branch: null,
        })
        expect((await alice.call('getObjective', { id: one.displayId })).objective.id).toBe(one.id)
      }
    },
  )

  test(
    verifies(
      'rest.mission-read-rbac',
      'is read with mission:read, and to an outsider is no other than one that is not there',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith([])
      const elsewhere = await alice.withToken({
        preset: 'read_only',
        projectIds: [(await world.projectWith()).id],
      })
      for (const caller of [world.carla, elsewhere]) {
        const refusal = (id: string) =>
          caller
            .call('getMission', { id })
            .catch((error: Error & { code: string }) => [error.code, error.message.replace(id, '')])
        expect(await refusal(mission.id)).toEqual(
          await refusal('00000000-0000-7000-8000-000000000000'),
        )
        expect(await refusal(mission.displayId)).toEqual(await refusal('nowhere:1'))
      }
      expect((await world.vera.mission(mission)).id).toBe(mission.id)
      const blind = await alice.withToken({ permissions: ['project:read'] })
      await expect(blind.call('getMission', { id: mission.id })).rejects.toMatchObject({
        code: 'forbidden',
        details: { permission: 'mission:read' },
      })
    },
  )

  test('tells its events, the newest first, in pages', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const agent = world.agentOf(alice, { missionId: mission.id })
    await agent.attach()
    for (let step = 1; step <= 4; step += 1) await agent.update({ text: `step ${step}` })
    const first = await alice.call('listMissionEvents', { id: mission.id, limit: 3 })
    const rest = await alice.call('listMissionEvents', {
      id: mission.id,
      limit: 3,
      cursor: first.nextCursor,
    })
    const summaries = [...first.events, ...rest.events].map((one) => one.summary)
    expect(summaries.slice(0, 4)).toEqual(['step 4', 'step 3', 'step 2', 'step 1'])
    expect(new Set(summaries).size).toBe(summaries.length)
    expect(rest.nextCursor).toBeUndefined()
  })

  test('works in worktrees or in the one checkout, as it says, else as its project does', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith(['a'], { useWorktrees: false })
    expect(mission.useWorktrees).toBe(false)
    await alice.launch(mission.objectives[0])
    const runner = await world.connectedRunner(project)
    const { request } = await runner.claim()
    if (!request) throw new Error('it was launched')
    expect([request.project.useWorktrees, usesWorktrees(request)]).toEqual([true, false])
    const change = (useWorktrees?: boolean | null) =>
      alice.call('updateMission', {
        id: mission.id,
        priority: 'low',
        ...(useWorktrees !== undefined && { useWorktrees }),
      })
    expect((await change()).mission.useWorktrees).toBe(false)
    expect((await change(true)).mission.useWorktrees).toBe(true)
    expect((await change(null)).mission.useWorktrees).toBeNull()
  })

  test('changes title, priority and flags, unless somebody changed it since', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const change = {
      title: 'Other',
      priority: 'urgent',
      allowParallelObjectives: true,
      auto_advance: true,
    } as const
    const changed = await alice.call('updateMission', {
      id: mission.id,
      ...change,
      expectedRevision: mission.revision,
    })
    expect(changed.mission).toMatchObject({ ...change, revision: mission.revision + 1 })
    const late = await world.rowsWrittenBy(() =>
      alice.call('updateMission', {
        id: mission.id,
        title: 'Late',
        expectedRevision: mission.revision,
      }),
    )
    expect(late).toMatchObject({
      rows: [],
      refusal: { code: 'revision_mismatch', details: { currentRevision: mission.revision + 1 } },
    })
  })

  test('is advanced automatically only by the word of somebody who may launch', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith([])
    const writer = await alice.withToken({
      permissions: ['mission:read', 'mission:update', 'mission:create', 'project:read'],
    })
    await expect(
      writer.call('updateMission', { id: mission.id, auto_advance: true }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      writer.call('createMission', { projectId: project.id, title: 'x', auto_advance: true }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    await writer.call('updateMission', { id: mission.id, title: 'y' })
    expect(await alice.mission(mission)).toMatchObject({ title: 'y', auto_advance: false })
  })

  test.for(['vera', 'carla'] as const)(
    'is neither made nor changed by %s',
    async (name, { world }) => {
      const { project, mission } = await world.missionWith([])
      const code = name === 'vera' ? 'forbidden' : 'not_found'
      const caller = world[name]
      await expect(
        caller.call('createMission', { projectId: project.id, title: 'x' }),
      ).rejects.toMatchObject({ code })
      await expect(
        caller.call('updateMission', { id: mission.id, title: 'x' }),
      ).rejects.toMatchObject({ code })
      await expect(
        caller.call('addObjectives', { id: mission.id, objectives: [{ instruction: 'x' }] }),
      ).rejects.toMatchObject({ code })
      await expect(
        caller.call('moveMission', { id: mission.id, statusId: mission.status.id }),
      ).rejects.toMatchObject({ code })
    },
  )
})
