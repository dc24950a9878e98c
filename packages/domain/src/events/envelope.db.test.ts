import {
  FullEnvelope,
  ThinEnvelope,
  envelopeLimits,
  webhookApiVersion,
} from '@svc/contracts/webhook-envelope'
import { restContracts } from '@svc/contracts/rest'
import { personWith } from '../testing/people.ts'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { type Hooked, test } from '../testing/hooked-world.ts'

const types = [
  'mission.delivered',
  'mission.status_changed',
  'objective.completed',
  'mission.blocked',
  'acme:thing',
] as const

/** A mission with delivered work: two artifacts, some files and rationales. */
async function delivered({ world }: Hooked, fileCount: number, content = 'Merge it.') {
  const { mission } = await world.missionWith(['write the docs'])
  const { agent } = await world.attachedRun(mission.objectives[0])
  const { deliveryId } = await agent.deliver({
    summary: 'Wrote the docs.',
    artifacts: [
      { type: 'next_steps', label: 'Next', contentText: content },
      { type: 'link', label: 'Preview', externalUrl: 'https://example.com/preview' },
    ],
    changeRationales: [
      { filePath: 'docs/a.md', label: 'Docs', summary: 'New', why: 'Asked for', impact: 'None' },
    ],
  })
  const [objective] = mission.objectives
  const rows = Array.from({ length: fileCount }, (_, index) => ({
    workspace_id: world.workspaceId,
    mission_id: mission.id,
    objective_id: objective.id,
    file_path: `src/file-${String(index).padStart(3, '0')}.ts`,
    vcs_status: 'modified' as const,
  }))
  if (rows.length > 0) await world.domain.db.insertInto('changed_files').values(rows).execute()
  return { mission, objective, deliveryId }
}

describe('the envelope', () => {
  test(
    verifies(
      [
        'envelope.same-shape',
        'envelope.api-version',
        'envelope.type',
        'envelope.links',
        'envelope.links-relative',
        'version.envelope-shape',
      ],
      'is the same for every event, in both modes',
    ),
    async ({ hooked, world }) => {
      const { alice, deliverDue, publish, receiver, subscribe } = hooked
      const { mission } = await world.missionWith(['write the docs'])
      const modes = ['thin', 'full'] as const
      for (const payloadMode of modes) {
        const subscription = await subscribe({ payloadMode, eventTypes: [...types] })
        await alice.call('testWebhook', subscription)
      }
      for (const type of types) {
        await publish(1, { type, missionId: mission.id })
      }
      await deliverDue()

      expect(receiver.posts).toHaveLength(2 * (types.length + 1))
      for (const { body, headers } of receiver.posts) {
        const schema = 'changedFiles' in body ? FullEnvelope : ThinEnvelope
        const envelope = schema.parse(body)
        expect(envelope.apiVersion).toBe(webhookApiVersion)
        expect(envelope.type).toBe(headers['x-svc-event'])
        expect(Object.keys(body)[0]).toBe('id')
        expect(
          Object.values(envelope.links).every((link) => link.startsWith('/api/missions/')),
        ).toBe(true)
      }
      expect(receiver.posts.filter(({ body }) => 'changedFiles' in body)).toHaveLength(
        types.length + 1,
      )
    },
  )

  test(
    verifies(
      [
        'envelope.thin-only-ids',
        'envelope.workspace',
        'envelope.project',
        'envelope.mission',
        'envelope.delivery-not-on-status',
      ],
      'of a thin subscription leaves out every field of a full one',
    ),
    async ({ hooked }) => {
      const { alice, deliverDue, receiver, subscribe } = hooked
      const { mission, objective, deliveryId } = await delivered(hooked, 3)
      await hooked.deliverDue()
      await subscribe({ eventTypes: ['mission.delivered', 'mission.status_changed'] })
      const again = await delivered(hooked, 3)
      await deliverDue()

      const bodies = Object.fromEntries(receiver.posts.map(({ body }) => [body.type, body]))
      const project = { id: again.mission.projectId }
      const common = [
        'apiVersion',
        'id',
        'links',
        'mission',
        'occurredAt',
        'project',
        'sequence',
        'type',
        'workspace',
      ]
      expect(Object.keys(bodies['mission.status_changed'] ?? {}).toSorted()).toEqual(common)
      expect(Object.keys(bodies['mission.delivered'] ?? {}).toSorted()).toEqual(
        [...common, 'delivery', 'objective', 'session'].toSorted(),
      )
      const { revision } = await alice.mission(again.mission)
      expect(bodies['mission.delivered']).toMatchObject({
        workspace: { id: hooked.world.workspaceId },
      })
      expect(bodies['mission.delivered']?.['workspace']).toEqual({ id: hooked.world.workspaceId })
      expect(bodies['mission.delivered']?.['project']).toEqual(project)
      expect(bodies['mission.delivered']?.['mission']).toEqual({
        id: again.mission.id,
        displayId: again.mission.displayId,
        priority: 'normal',
        revision,
      })
      expect(bodies['mission.delivered']?.['delivery']).toEqual({ id: again.deliveryId })
      expect([mission.id, objective.id, deliveryId]).not.toContain(again.deliveryId)
    },
  )

  test(
    verifies(
      [
        'envelope.full-snapshot',
        'envelope.mission-full',
        'envelope.delivery-full',
        'envelope.delivery-artifacts',
        'envelope.changed-files',
        'envelope.change-rationales',
        'envelope.mission-events',
      ],
      'of a full subscription carries the snapshot',
    ),
    async ({ hooked }) => {
      const { deliverDue, receiver, subscribe } = hooked
      await subscribe({ eventTypes: ['mission.delivered'], payloadMode: 'full' })
      const { mission, deliveryId } = await delivered(hooked, 2)
      await deliverDue()

      const body = FullEnvelope.parse(receiver.posts[0]?.body)
      expect(body.workspace.name).toBe('Here')
      expect(body.project.name).toMatch(/^project/)
      expect(body.mission).toMatchObject({
        title: mission.title,
        status: { type: 'review' },
        createdAt: mission.createdAt,
      })
      expect(body.delivery).toMatchObject({
        id: deliveryId,
        summary: 'Wrote the docs.',
        report: { schemaVersion: 1, presentation: { status: 'deterministic' } },
        artifacts: [
          { type: 'next_steps', label: 'Next', content: 'Merge it.' },
          { type: 'link', label: 'Preview', content: 'https://example.com/preview' },
        ],
      })
      expect(body.changedFiles).toEqual([
        { filePath: 'src/file-000.ts', vcsStatus: 'modified' },
        { filePath: 'src/file-001.ts', vcsStatus: 'modified' },
      ])
      expect(body.changeRationales).toEqual([
        { filePath: 'docs/a.md', label: 'Docs', summary: 'New', why: 'Asked for', impact: 'None' },
      ])
      expect(body.missionEvents.map((event) => event.type)).toContain('delivery')
      expect(body).not.toHaveProperty('truncated')
      expect(body).not.toHaveProperty('truncatedFields')
    },
  )

  test(
    verifies(
      ['envelope.cap-50', 'envelope.truncated', 'envelope.rest-by-links'],
      'caps lists at 50 and says so',
    ),
    async ({ hooked }) => {
      const { alice, deliverDue, receiver, subscribe } = hooked
      await subscribe({ eventTypes: ['objective.completed'], payloadMode: 'full' })
      await delivered(hooked, 50)
      await deliverDue()
      const { mission } = await delivered(hooked, 51)
      await deliverDue()

      const [whole, cut] = receiver.posts.map(({ body }) => FullEnvelope.parse(body))
      expect(whole?.changedFiles).toHaveLength(50)
      expect(whole).not.toHaveProperty('truncated')
      expect(cut?.changedFiles).toHaveLength(50)
      expect(cut).toMatchObject({ truncated: true, truncatedFields: ['changedFiles'] })
      expect(cut?.links.fileChanges).toBe(`/api/missions/${mission.id}/file-changes`)
      const { fileChanges } = await alice.call('listFileChanges', { id: mission.id, limit: 200 })
      expect(fileChanges.filter((file) => file.vcsStatus !== null)).toHaveLength(51)
    },
  )

  test(
    verifies(
      'auth.links-owner-view',
      'has links that show whoever follows them what the owner of the token may read',
    ),
    async ({ hooked, world }) => {
      const { alice, deliverDue, receiver, subscribe } = hooked
      const { mission } = await delivered(hooked, 1)
      await subscribe({ eventTypes: ['mission.status_changed'] })
      await hooked.moveMission({ missionId: mission.id })
      await deliverDue()
      const body = ThinEnvelope.parse(receiver.posts[0]?.body)
      const reader = await alice.withPreset('webhook_consumer')
      const elsewhere = await alice.withToken({
        preset: 'webhook_consumer',
        projectIds: [(await world.projectWith()).id],
      })
      const nothing = await alice.withToken({ permissions: ['project:read'] })
      const linked = {
        mission: 'getMission',
        events: 'listMissionEvents',
        fileChanges: 'listFileChanges',
        artifacts: 'listArtifacts',
      } as const
      for (const [link, path] of Object.entries(body.links)) {
        // its keys are those of the links
        const route = linked[link as keyof typeof linked]
        const id = body.mission.id
        expect(path).toBe(restContracts[route].path.replace(':id', id))
        const ofOwner = await alice.call(route, { id })
        expect(await reader.call(route, { id })).toEqual(ofOwner)
        await expect(nothing.call(route, { id })).rejects.toMatchObject({ code: 'forbidden' })
        for (const other of [elsewhere, world.carla]) {
          await expect(other.call(route, { id })).rejects.toMatchObject({ code: 'not_found' })
        }
      }
    },
  )

  test(
    'cuts long texts until it is within 256 KiB, and names them',
    { tags: 'large' },
    async ({ hooked }) => {
      const { deliverDue, receiver, subscribe } = hooked
      await subscribe({ eventTypes: ['mission.delivered'], payloadMode: 'full' })
      await delivered(hooked, 0, '😀'.repeat(65_000))
      await deliverDue()
      const [post] = receiver.posts
      const body = FullEnvelope.parse(post?.body)
      expect(post?.raw.length).toBeLessThanOrEqual(envelopeLimits.bytes)
      expect(body.truncatedFields).toEqual(['delivery.artifacts.content'])
      expect(body).not.toHaveProperty('truncated')
      expect(body.delivery?.artifacts[0]?.content).toMatch(/^(😀)+$/u)
    },
  )

  test('keeps the type of a status whose label is another', async ({ hooked, world }) => {
    const { alice, deliverDue, receiver, subscribe } = hooked
    await subscribe({ payloadMode: 'full' })
    const { project, mission } = await world.missionWith(['do it'])
    const { status } = await alice.call('createProjectStatus', {
      id: project.id,
      type: 'review',
      label: 'Ready for a look',
    })
    await alice.call('moveMission', { id: mission.id, statusId: status.id })
    await deliverDue()
    expect(FullEnvelope.parse(receiver.posts[0]?.body).mission.status).toEqual({
      id: status.id,
      type: 'review',
      label: 'Ready for a look',
    })
  })

  test(
    verifies(
      'webhook.ordering-sort-keys',
      'that came in another order is put right by its time, and by the revision of its mission',
    ),
    async ({ hooked, world }) => {
      const { alice, deliverDue, nextAttempt, receiver, subscribe } = hooked
      const { mission } = await world.missionWith(['do it'])
      const { statuses } = await alice.call('listProjectStatuses', { id: mission.projectId })
      const path = statuses.filter((status) => status.id !== mission.status.id)
      const subscription = await subscribe({ payloadMode: 'full' })
      for (const [index, status] of path.entries()) {
        receiver.answer(index === 0 ? 500 : 200)
        await alice.call('moveMission', { id: mission.id, statusId: status.id })
        await deliverDue()
        await world.advance(1)
      }
      await nextAttempt(subscription)

      const [, ...taken] = receiver.posts.map(({ body }) => FullEnvelope.parse(body))
      const statusesOf = (bodies: FullEnvelope[]) => bodies.map(({ mission }) => mission.status.id)
      const sortedBy = (key: (body: FullEnvelope) => string | number) =>
        statusesOf(taken.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)))
      const [first = '', ...later] = path.map((status) => status.id)
      expect(statusesOf(taken)).toEqual([...later, first])
      expect(sortedBy((body) => body.occurredAt)).toEqual([first, ...later])
      expect(sortedBy((body) => body.mission.revision)).toEqual([first, ...later])
    },
  )

  test.for(['thin', 'full'] as const)(
    'is numbered in the order of its mission, which its history shares: %s',
    { tags: 'large' },
    async (payloadMode, { hooked, world }) => {
      const { alice, deliverDue, receiver, subscribe } = hooked
      const subscription = await subscribe({ payloadMode, eventTypes: [...types] })
      const { mission } = await delivered(hooked, 1)
      const before = await alice.mission(mission)
      await alice.call('createMissionEvent', { id: mission.id, type: 'acme:thing', summary: 'So' })
      await alice.call('testWebhook', subscription)
      await deliverDue()

      const envelopes = receiver.posts.map(({ body }) => body as unknown as FullEnvelope)
      const ping = envelopes.filter(({ type }) => type === 'webhook.ping')
      expect(ping.map(({ sequence }) => sequence)).toEqual([0])
      const events = envelopes.filter(({ type }) => type !== 'webhook.ping')
      const numbers = events.map(({ sequence }) => sequence)
      expect(new Set(numbers).size).toBe(events.length)
      const last = events.find(({ type }) => type === 'acme:thing')
      expect(Math.max(...numbers)).toBe(last?.sequence)
      expect(last?.mission.revision).toBe(before.revision + 1)
      expect((await alice.mission(mission)).revision).toBe(before.revision + 1)
      const delivery = events.filter(({ delivery: one }) => one !== undefined)
      expect(delivery.length).toBeGreaterThan(1)
      expect(new Set(delivery.map(({ mission: { revision } }) => revision)).size).toBe(1)

      const { events: history } = await alice.call('listMissionEvents', { id: mission.id })
      const counted = history.map(({ sequence }) => sequence)
      expect(counted).toEqual(counted.toSorted((a, b) => b - a))
      expect(counted.filter((number) => numbers.includes(number))).toEqual([])
      expect(world.workspaceId).toBe(last?.workspace.id)
    },
  )

  test(
    verifies(
      ['webhook.creator-lost-read', 'webhook.full-creator-permissions'],
      'is thin once its subscriber may read no more, even between fan-out and sending',
    ),
    async ({ hooked, world }) => {
      const { deliverDue, domain, log, nextAttempt, receiver } = hooked
      const anna = await world.person('admin')
      const caller = personWith(domain, anna.token)
      const { webhook } = await caller.call('createWebhook', {
        name: 'Hers',
        endpointUrl: receiver.url,
        eventTypes: ['mission.delivered'],
        payloadMode: 'full',
      })
      receiver.answer(500)
      await delivered(hooked, 1)
      await deliverDue()
      await domain.db.deleteFrom('memberships').where('user_id', '=', anna.userId).execute()
      await nextAttempt(webhook)
      expect(await log(webhook)).toMatchObject([{ mode: 'thin', attempts: 2 }])
      await domain.db
        .insertInto('memberships')
        .values({ workspace_id: world.workspaceId, user_id: anna.userId, role: 'viewer' })
        .execute()
      await nextAttempt(webhook)

      const [full, thin, again] = receiver.posts
      FullEnvelope.parse(full?.body)
      expect(ThinEnvelope.parse(thin?.body).id).toBe(full?.body.id)
      expect(again?.raw).toEqual(full?.raw)
      const deliveries = await log(webhook)
      expect(deliveries).toMatchObject([{ mode: 'full', attempts: 3 }])
      const delivery = { id: webhook.id, deliveryId: deliveries[0]?.id ?? '' }
      const { attempts } = await hooked.alice.call('getWebhookDelivery', delivery)
      expect(attempts.map(({ mode }) => mode)).toEqual(['full', 'thin', 'full'])
    },
  )
})
