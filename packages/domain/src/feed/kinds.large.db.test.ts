import { setTimeout } from 'node:timers/promises'
import { version } from '@svc/contracts/version'
import { describe, expect, vi } from 'vitest'
import { acceptAsNewPerson } from '../members/accept-invitation.ts'
import { followFeed } from '../testing/follow-feed.ts'
import { test as hookedTest } from '../testing/hooked-world.ts'
import { othersHaveEnded } from '../testing/others-have-ended.ts'
import { tokenForObjective } from '../testing/stored.ts'
import { type World, test } from '../testing/world.ts'

describe('the first event of a feed', () => {
  test('says where it begins, so that one which breaks before its first change loses nothing', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith([])
    const broken = await followFeed(world, alice, { missionId: mission.id, cursor: null })
    expect(broken.start).toMatchObject({ data: { version } })
    await broken.close()
    await alice.call('updateMission', { id: mission.id, title: 'Meanwhile' })

    const next = await followFeed(world, alice, {
      missionId: mission.id,
      cursor: broken.start.id,
    })
    await next.change({ entity: 'mission', operation: 'update' })
    await next.close()
  })

  test('of one that goes on is the cursor that it goes on from', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const first = await followFeed(world, alice, { missionId: mission.id })
    await alice.call('updateMission', { id: mission.id, title: 'Once' })
    const [change] = await first.take(1)
    await first.close()
    const second = await followFeed(world, alice, {
      missionId: mission.id,
      cursor: change?.id ?? '',
    })
    expect(second.start.id).toBe(change?.id)
    await second.close()
  })

  test('is that of one whose cursor is too old, which hears of the reset until it has', async ({
    world,
  }) => {
    const cursor = `${'9'.repeat(18)}.0.0`
    for (const _ of ['lost on the way', 'heard']) {
      const feed = await followFeed(world, world.alice, { cursor })
      expect(feed.start.id).toBe(cursor)
      const [reset] = await feed.take(1)
      expect(reset).toMatchObject({ event: 'reset', data: { reason: 'cursor_too_old' } })
      expect(reset?.id).not.toBe(cursor)
      await feed.close()
    }
  })
})

describe('a change', () => {
  test('says which revision it made', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['one', 'two'])
    const [one, two] = mission.objectives
    const feed = await followFeed(world, alice)
    const revisionOf = async (entityId: string, operation: string) =>
      (await feed.change({ entityId, operation })).data.revision

    await alice.call('updateObjective', { id: one.id, instruction: 'first' })
    const edited = await alice.objective(one)
    expect(await revisionOf(one.id, 'edit')).toBe(edited.revision)
    await alice.call('submitObjective', { id: two.id })
    const submitted = await alice.objective(two)
    expect(await revisionOf(two.id, 'submit')).toBe(submitted.revision)
    const { mission: titled } = await alice.call('updateMission', { id: mission.id, title: 'New' })
    expect(await revisionOf(mission.id, 'update')).toBe(titled.revision)
    const { project: renamed } = await alice.call('updateProject', { id: project.id, name: 'New' })
    expect(await revisionOf(project.id, 'update')).toBe(renamed.revision)
    const { mission: moved } = await alice.call('moveMission', {
      id: mission.id,
      statusId: 'blocked',
    })
    expect(await revisionOf(mission.id, 'status')).toBe(moved.revision)
    const { artifact } = await alice.call('createArtifact', {
      id: mission.id,
      type: 'note',
      label: 'Plan',
      contentText: 'Go.',
    })
    expect(await revisionOf(artifact.id, 'add')).toBe(artifact.revision)
    await feed.close()
  })

  test('of an objective that was deleted and restored says its revision', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['one'])
    const [objective] = mission.objectives
    const feed = await followFeed(world, alice)
    await alice.call('submitObjective', { id: objective.id })
    const { revision } = await alice.objective(objective)
    await alice.call('deleteObjectives', { objectiveIds: [objective.id], confirm: true })
    const deleted = await feed.change({ entityId: objective.id, operation: 'delete' })
    expect(deleted.data.revision).toBe(revision + 1)
    const { objective: restored } = await alice.call('restoreObjective', { id: objective.id })
    const back = await feed.change({ entityId: objective.id, operation: 'restore' })
    expect(back.data.revision).toBeLessThanOrEqual(restored.revision)

    await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    await feed.change({ entityId: mission.id, operation: 'delete' })
    const { mission: again } = await alice.call('restoreMission', { id: mission.id })
    const there = await feed.change({ entityId: mission.id, operation: 'restore' })
    expect(there.data.revision).toBe(again.revision)
    await feed.close()
  })

  test('in a mission that raises its revision says so of the mission', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['one'])
    const feed = await followFeed(world, alice, { missionId: mission.id })
    await world.attachedRun(mission.objectives[0])
    const { revision } = await alice.mission(mission)
    let heard = mission.revision
    while (heard < revision) {
      const { data } = await feed.change({ entity: 'mission', entityId: mission.id })
      heard = data.revision ?? 0
    }
    expect(heard).toBe(revision)
    await feed.close()
  })
})

describe('of the caller alone', () => {
  test('are items of their inbox', async ({ world }) => {
    const bob = await world.person('member')
    const [own, others] = [await followFeed(world, bob), await followFeed(world, world.alice)]
    const { inboxItem } = await bob.call('createInboxItem', { title: 'Mine' })
    const { id } = inboxItem
    await bob.call('updateInboxItem', { id, done: true })
    await bob.call('deleteInboxItem', { id })
    expect(await own.take(3)).toMatchObject([
      { data: { entity: 'inbox_item', entityId: id, operation: 'create', revision: 1 } },
      { data: { entity: 'inbox_item', entityId: id, operation: 'update', revision: 2 } },
      { data: { entity: 'inbox_item', entityId: id, operation: 'delete' } },
    ])
    await expectNextIs(world, others, 'project')
    const read = await followFeed(world, await bob.withPreset('read_only'), {
      cursor: own.start.id,
    })
    await expectNextIs(world, read, 'project')
    await Promise.all([own, others, read].map((feed) => feed.close()))
  })

  test('are notifications, and that they were read', async ({ world }) => {
    const bob = await world.person('member')
    const project = await world.projectWith()
    const { mission } = await world.missionWith(['ask'], { project })
    const elsewhere = await world.projectWith()
    const bound = await bob.withToken({
      permissions: ['mission:read', 'own_inbox:manage'],
      projectIds: [elsewhere.id],
    })
    const [own, others] = [await followFeed(world, bob), await followFeed(world, world.alice)]
    const runner = await world.connectedRunner(project)
    await bob.launch(mission.objectives[0])
    await runner.failed(await runner.take())
    const told = await own.change({ entity: 'notification', operation: 'create' })
    expect(told.data).toMatchObject({ data: { kind: 'run_failed' }, projectId: project.id })
    const { notifications } = await bob.call('listNotifications', { state: 'unread' })
    expect(notifications.map(({ id }) => id)).toEqual([told.data.entityId])
    await bob.call('readNotifications', {})
    await own.change({ entity: 'notification', entityId: told.data.entityId, operation: 'read' })

    await expectNone(world, others, 'notification')
    const narrow = await followFeed(world, bound, { cursor: own.start.id })
    await expectNone(world, narrow, 'notification', elsewhere)
    await Promise.all([own, others, narrow].map((feed) => feed.close()))
  })
})

describe('runners', () => {
  test('are told of when they appear, change, come back and go', async ({ world }) => {
    const { alice } = world
    const project = await world.projectWith()
    const feed = await followFeed(world, alice)
    const runner = await world.connectedRunner(project)
    const appeared = await feed.change({ entity: 'runner', operation: 'appear' })
    const { entityId } = appeared.data
    expect((await alice.call('listRunners', {})).runners.map(({ id }) => id)).toContain(entityId)
    const agents = [{ key: 'other', version: null, path: '/bin/other' }]
    await runner.claim({ agents, waitSeconds: 0 })
    await feed.change({ entity: 'runner', entityId, operation: 'update' })
    await world.advance(3600)
    await runner.heartbeat()
    await feed.change({ entity: 'runner', entityId, operation: 'return' })
    await world.advance(3600)
    await runner.claim({ agents, waitSeconds: 0 })
    await feed.change({ entity: 'runner', entityId, operation: 'return' })
    const written = await world.rowsWrittenBy(() => runner.claim({ agents, waitSeconds: 0 }))
    expect(written.rows).not.toContain('entity_changes')
    await alice.call('removeRunner', { id: entityId })
    await feed.change({ entity: 'runner', entityId, operation: 'remove' })
    await feed.close()
  })

  test('are told of to a token of one project, but not to one that sees no projects', async ({
    world,
  }) => {
    const { alice } = world
    const [project, other] = [await world.projectWith(), await world.projectWith()]
    const bound = await alice.withToken({ preset: 'read_only', projectIds: [project.id] })
    const consumer = await alice.withPreset('webhook_consumer')
    const [narrow, blind] = [await followFeed(world, bound), await followFeed(world, consumer)]
    await world.connectedRunner(other)
    await narrow.change({ entity: 'runner', operation: 'appear' })
    await alice.call('updateProject', { id: other.id, name: 'Renamed' })
    const { mission } = await alice.call('createMission', { projectId: other.id, title: 'Next' })
    expect(await blind.take(1)).toMatchObject([{ data: { entityId: mission.id } }])
    await Promise.all([narrow, blind].map((feed) => feed.close()))
  })
})

describe('webhooks', () => {
  hookedTest('are told of to those who may read them', async ({ hooked }) => {
    const { world, alice, subscribe } = hooked
    const [project, other] = [await world.projectWith(), await world.projectWith()]
    const bound = await alice.withToken({ preset: 'full', projectIds: [project.id] })
    const bob = await world.person('member')
    const [wide, narrow, member] = [
      await followFeed(world, alice),
      await followFeed(world, bound),
      await followFeed(world, bob),
    ]
    const hook = await subscribe({ projectId: other.id })
    const { id } = hook
    await alice.call('disableWebhook', { id })
    await alice.call('enableWebhook', { id })
    await alice.call('deleteWebhook', { id })
    const operations = ['create', 'disable', 'enable', 'delete']
    const told = await wide.take(2 * operations.length)
    expect(
      told.filter(({ event, data }) => event === 'change' && data.entity === 'webhook'),
    ).toMatchObject(
      operations.map((operation, index) => ({
        data: { entityId: id, operation, revision: index + 1 },
      })),
    )
    const own = await subscribe({ projectId: project.id })
    expect(await narrow.take(1)).toMatchObject([{ data: { entityId: own.id } }])
    await expectNone(world, member, 'webhook')
    await Promise.all([wide, narrow, member].map((feed) => feed.close()))
  })

  hookedTest('are told of no more to whom became a member meanwhile', async ({ hooked }) => {
    const { world, subscribe } = hooked
    const bob = await world.person('admin')
    const feed = await followFeed(world, bob)
    const { id } = await subscribe()
    await feed.change({ entityId: id, operation: 'create' })
    const { userId } = await bob.actor()
    const owner = await world.person('owner')
    await owner.call('updateMember', { id: userId, role: 'member' })
    await subscribe()
    await expectNone(world, feed, 'webhook')
    await feed.close()
  })
})

describe('who is in a workspace', () => {
  test('is told of to those who may see it', async ({ world }) => {
    const { alice } = world
    const viewer = await world.person('viewer')
    const consumer = await alice.withPreset('webhook_consumer')
    const [admins, viewers, blind] = [
      await followFeed(world, alice),
      await followFeed(world, viewer),
      await followFeed(world, consumer),
    ]
    const email = 'joins@example.com'
    const { invitation } = await alice.call('createInvitation', { email })
    await admins.change({ entity: 'invitation', entityId: invitation.id, operation: 'create' })
    const renewed = await alice.call('createInvitation', { email, role: 'viewer' })
    await admins.change({ entity: 'invitation', operation: 'create' })
    const secret = new URL(renewed.link).searchParams.get('token') ?? ''
    await acceptAsNewPerson(world, secret, {
      name: 'Joins',
      password: 'four quiet words here',
      browser: 'a browser',
    })
    const { id: accepted } = renewed.invitation
    await admins.change({ entity: 'invitation', entityId: accepted, operation: 'accept' })
    const joined = await admins.change({ entity: 'member', operation: 'join' })
    const id = joined.data.entityId
    await alice.call('updateMember', { id, role: 'member' })
    const { data } = await admins.change({ entity: 'member', entityId: id, operation: 'role' })
    expect(data.data).toEqual({ role: 'member' })
    const other = await alice.call('createInvitation', { email: 'never@example.com' })
    await alice.call('revokeInvitation', { id: other.invitation.id })
    await admins.change({ entity: 'invitation', operation: 'revoke' })
    const { workspace } = await alice.call('updateWorkspace', { name: 'Renamed here' })
    const told = await admins.change({ entity: 'workspace', operation: 'update' })
    expect(told.data).toMatchObject({ entityId: workspace.id, revision: workspace.revision })
    await alice.call('removeMember', { id })
    await admins.change({ entity: 'member', entityId: id, operation: 'remove' })

    // of members alone, and never of invitations
    for (const operation of ['join', 'role']) {
      expect(await viewers.take(1)).toMatchObject([{ data: { entity: 'member', operation } }])
    }
    expect(await viewers.take(1)).toMatchObject([{ data: { entity: 'workspace' } }])
    expect(await viewers.take(1)).toMatchObject([{ data: { entity: 'member', entityId: id } }])
    const project = await world.projectWith()
    const { mission } = await alice.call('createMission', { projectId: project.id, title: 'Next' })
    expect(await blind.take(1)).toMatchObject([{ data: { entityId: mission.id } }])
    await Promise.all([admins, viewers, blind].map((feed) => feed.close()))
  })

  test('is told of whoever leaves, with the invitations that they had made', async ({ world }) => {
    const admin = await world.person('admin')
    const { userId } = await admin.actor()
    const { invitation } = await admin.call('createInvitation', { email: 'later@example.com' })
    const feed = await followFeed(world, world.alice)
    await admin.call('leaveWorkspace', { workspace: 'here' })
    await feed.change({ entity: 'invitation', entityId: invitation.id, operation: 'revoke' })
    await feed.change({ entity: 'member', entityId: userId, operation: 'leave' })
    await feed.close()
  })
})

describe('the log of a run', () => {
  test('is told of by its length, which a feed hears again no sooner than a second later', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['print'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const feed = await followFeed(world, alice, { missionId: mission.id })
      await runner.log(lease, 0, 'one ')
      expect(await inTime(feed.take(1))).toMatchObject([
        {
          event: 'log',
          data: {
            executionRequestId: lease.id,
            objectiveId: mission.objectives[0].id,
            missionId: mission.id,
            generation: lease.generation,
            bytes: 4,
          },
        },
      ])
      await runner.log(lease, 4, 'two ')
      await runner.log(lease, 8, 'three ')
      await alice.call('updateMission', { id: mission.id, title: 'Meanwhile' })
      // where the log is due again already, the change comes first only if it can be told of by then
      await othersHaveEnded(world)
      const [change] = await feed.take(1)
      expect(change).toMatchObject({ event: 'change', data: { operation: 'update' } })
      expect(await inTime(feed.take(1))).toMatchObject([{ event: 'log', data: { bytes: 14 } }])
      await feed.close()

      // broken before it was told
      const next = await followFeed(world, alice, {
        missionId: mission.id,
        cursor: change?.id ?? '',
      })
      const [told] = await inTime(next.take(1))
      expect(told).toMatchObject({ event: 'log', data: { bytes: 14 } })
      await next.close()
      const last = await followFeed(world, alice, { missionId: mission.id, cursor: told?.id ?? '' })
      await alice.call('updateMission', { id: mission.id, title: 'Then' })
      expect(await last.take(1)).toMatchObject([{ event: 'change' }])
      await last.close()
    } finally {
      vi.useRealTimers()
    }
  })

  test('is told of to nobody who may not read it', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['print', 'look on'], {
      allowParallelObjectives: true,
    })
    const { mission: other } = await world.missionWith(['print'])
    const [printing, looking] = mission.objectives
    const there = await alice.withToken({ preset: 'read_only', projectIds: [other.projectId] })
    const here = await alice.withToken({ preset: 'read_only', projectIds: [project.id] })
    const sibling = await tokenForObjective(world, alice, looking)
    const own = await tokenForObjective(world, alice, printing)
    const { runner, lease } = await world.attachedRun(printing)
    const feeds = await Promise.all(
      [there, sibling, world.carla].map((caller) => followFeed(world, caller)),
    )
    const told = await Promise.all([here, own].map((caller) => followFeed(world, caller)))
    await runner.log(lease, 0, 'one ')
    for (const feed of told) expect(await feed.take(1)).toMatchObject([{ event: 'log' }])
    await runner.exited(lease)

    const second = await world.attachedRun(other.objectives[0])
    await second.runner.log(second.lease, 0, 'there')
    const [elsewhere, beside, foreign] = feeds
    const logOf = async (feed: (typeof feeds)[number] | undefined) => {
      for (;;) {
        const [next] = (await feed?.take(1)) ?? []
        if (next?.event === 'log') return next.data.executionRequestId
      }
    }
    expect(await logOf(elsewhere)).toBe(second.lease.id)
    const third = await world.attachedRun(looking)
    await third.runner.log(third.lease, 0, 'beside')
    expect(await logOf(beside)).toBe(third.lease.id)
    await world.carla.call('createProject', { name: 'There' })
    expect(await foreign?.take(1)).toMatchObject([{ data: { entity: 'project' } }])
    await Promise.all([...feeds, ...told].map((feed) => feed.close()))
  })
})

/** Lets seconds pass until it is there: what other tests have open may keep a log from being shown yet. */
async function inTime<T>(awaited: Promise<T>): Promise<T> {
  let isThere = false
  const settled = awaited.finally(() => {
    isThere = true
  })
  while (!isThere) {
    vi.advanceTimersByTime(1_000)
    await Promise.race([settled, setTimeout(20)])
  }
  return settled
}

type Feed = Awaited<ReturnType<typeof followFeed>>

/** Nothing else came before something that everybody sees. */
async function expectNextIs(world: World, feed: Feed, entity: string): Promise<void> {
  await world.projectWith()
  expect(await feed.take(1)).toMatchObject([{ data: { entity } }])
}

/** Up to something that everybody sees. */
async function expectNone(
  world: World,
  feed: Feed,
  entity: string,
  project?: Awaited<ReturnType<World['projectWith']>>,
): Promise<void> {
  const { mission } = await world.missionWith([], { ...(project && { project }) })
  for (;;) {
    const [next] = await feed.take(1)
    if (next?.event !== 'change') continue
    expect(next.data.entity).not.toBe(entity)
    if (next.data.entityId === mission.id) return
  }
}
