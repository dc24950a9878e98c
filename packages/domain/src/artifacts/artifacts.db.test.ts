import { randomUUID } from 'node:crypto'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const text = { type: 'next_steps', label: 'Next', contentText: 'Ship it' }

describe('an artifact', () => {
  test(
    'is not written with the key of a session that has ended',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const sessionKey = agent.sessionKey()
      const { artifact } = await alice.protocol('add-artifact', { sessionKey, ...text })
      await agent.deliver()

      const over = { code: 'session_ended', details: { endReason: 'delivered' } }
      const again = { sessionKey, artifactId: artifact.id, expectedRevision: 1, label: 'Later' }
      await expect(alice.protocol('add-artifact', { sessionKey, ...text })).rejects.toMatchObject(
        over,
      )
      await expect(alice.protocol('update-artifact', again)).rejects.toMatchObject(over)
      const named = { ...text, objectiveId: mission.objectives[0].displayId }
      expect((await alice.protocol('add-artifact', named)).artifact.type).toBe('next_steps')
    },
  )

  test(
    verifies('artifact.fields', 'is created with a text or a link and listed, the newest first'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith([])
      const { artifact } = await alice.call('createArtifact', { id: mission.displayId, ...text })
      await alice.call('createArtifact', {
        id: mission.id,
        type: 'link',
        label: 'Preview',
        externalUrl: 'https://example.com/',
      })
      const { artifacts } = await alice.call('listArtifacts', { id: mission.id })
      expect(artifacts).toMatchObject([
        {
          type: 'link',
          label: 'Preview',
          contentText: null,
          externalUrl: 'https://example.com/',
          revision: 1,
        },
        {
          id: artifact.id,
          type: 'next_steps',
          label: 'Next',
          contentText: 'Ship it',
          externalUrl: null,
          revision: 1,
        },
      ])
      expect((await alice.eventsOf(mission)).map((one) => one.type)).toEqual([
        'artifact_added',
        'artifact_added',
      ])
    },
  )

  test('is revised in place', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const { artifact } = await alice.call('createArtifact', { id: mission.id, ...text })
    const revised = await alice.call('updateArtifact', {
      id: mission.id,
      artifactId: artifact.id,
      expectedRevision: 1,
      label: 'Later',
    })
    expect(revised.artifact).toMatchObject({
      id: artifact.id,
      label: 'Later',
      contentText: 'Ship it',
      type: 'next_steps',
      revision: 2,
    })
    expect((await alice.call('listArtifacts', { id: mission.id })).artifacts).toEqual([
      revised.artifact,
    ])
    expect((await alice.eventsOf(mission))[0]).toMatchObject({
      type: 'artifact_updated',
      data: { revision: 2 },
    })
  })

  test('loses its address, and is a text then, if an empty one', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const link = { type: 'link', label: 'Preview', externalUrl: 'https://example.com/' }
    const { artifact } = await alice.call('createArtifact', { id: mission.id, ...link })
    const revise = async (expectedRevision: number, change: object) => {
      const of = { id: mission.id, artifactId: artifact.id, expectedRevision }
      return (await alice.call('updateArtifact', { ...of, ...change })).artifact
    }
    expect(await revise(1, { externalUrl: null })).toMatchObject({
      contentText: '',
      externalUrl: null,
    })
    const both = { contentText: 'Read it.', externalUrl: link.externalUrl }
    expect(await revise(2, both)).toMatchObject(both)
    expect(await revise(3, { externalUrl: null })).toMatchObject({
      contentText: 'Read it.',
      externalUrl: null,
    })
  })

  test('at another revision than expected stays as it is', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const { artifact } = await alice.call('createArtifact', { id: mission.id, ...text })
    for (const expectedRevision of [2, 7, 2 ** 40]) {
      const written = await world.rowsWrittenBy(() =>
        alice.call('updateArtifact', {
          id: mission.id,
          artifactId: artifact.id,
          expectedRevision,
          label: 'x',
        }),
      )
      expect(written).toMatchObject({
        rows: [],
        refusal: {
          code: 'revision_mismatch',
          details: { currentRevision: 1 },
          next: { operation: 'listArtifacts', params: { id: mission.id } },
        },
      })
    }
  })

  test(
    verifies('artifact.expected-revision', 'revised by 16 at once: one wins each revision'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith([])
      const { artifact } = await alice.call('createArtifact', { id: mission.id, ...text })
      const won: number[] = []
      const writer = async (name: number) => {
        for (let revision = 1; revision <= 4;) {
          const label = `${name} at ${revision}`
          const done = await alice
            .call('updateArtifact', {
              id: mission.id,
              artifactId: artifact.id,
              expectedRevision: revision,
              label,
            })
            .catch((error: { code: string; details: { currentRevision: number } }) => {
              expect(error.code).toBe('revision_mismatch')
              return error.details.currentRevision
            })
          if (typeof done === 'number') revision = done
          else {
            won.push(revision)
            expect(done.artifact).toMatchObject({ label, revision: revision + 1 })
            revision += 1
          }
        }
      }
      await Promise.all(Array.from({ length: 16 }, (_, name) => writer(name)))
      expect(won.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4])
      expect((await alice.call('listArtifacts', { id: mission.id })).artifacts).toMatchObject([
        { revision: 5 },
      ])
    },
  )

  test('is not found under another mission, and an unknown one nowhere', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const { mission: other } = await world.missionWith([])
    const { artifact } = await alice.call('createArtifact', { id: mission.id, ...text })
    const revise = (id: string, artifactId: string) =>
      alice.call('updateArtifact', { id, artifactId, expectedRevision: 1, label: 'x' })
    await expect(revise(other.id, artifact.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(revise(mission.id, randomUUID())).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is written by those who may, and read by those who may', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const { artifact } = await alice.call('createArtifact', { id: mission.id, ...text })
    const revise = { id: mission.id, artifactId: artifact.id, expectedRevision: 1, label: 'x' }
    for (const [caller, code] of [
      [world.vera, 'forbidden'],
      [world.carla, 'not_found'],
    ] as const) {
      await expect(
        caller.call('createArtifact', { id: mission.id, ...text }),
      ).rejects.toMatchObject({ code })
      await expect(caller.call('updateArtifact', revise)).rejects.toMatchObject({ code })
    }
    expect((await world.vera.call('listArtifacts', { id: mission.id })).artifacts).toHaveLength(1)
    await expect(world.carla.call('listArtifacts', { id: mission.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('is listed in pages that leave none out', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    for (let index = 0; index < 5; index += 1)
      await alice.call('createArtifact', { id: mission.id, ...text, label: `a${index}` })
    const labels: string[] = []
    let cursor: string | undefined
    do {
      const page = await alice.call('listArtifacts', {
        id: mission.id,
        limit: 2,
        ...(cursor && { cursor }),
      })
      labels.push(...page.artifacts.map((one) => one.label))
      cursor = page.nextCursor
    } while (cursor)
    expect(labels).toEqual(['a4', 'a3', 'a2', 'a1', 'a0'])
  })
})

describe('by the agent protocol', () => {
  test(
    verifies(
      [
        'rest.artifact-create-shared',
        'rest.artifact-revise-shared',
        'protocol.add-artifact',
        'protocol.update-artifact',
      ],
      'the same call does the same',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const rest = await alice.call('createArtifact', { id: mission.id, ...text })
      const protocol = await alice.protocol('add-artifact', { missionId: mission.id, ...text })
      expect(await rowOf(world, protocol.artifact)).toEqual(await rowOf(world, rest.artifact))

      const change = { expectedRevision: 1, contentText: 'Later' }
      const byRest = await alice.call('updateArtifact', {
        id: mission.id,
        artifactId: rest.artifact.id,
        ...change,
      })
      const byProtocol = await alice.protocol('update-artifact', {
        missionId: mission.id,
        artifactId: protocol.artifact.id,
        ...change,
      })
      expect(await rowOf(world, byProtocol.artifact)).toEqual(await rowOf(world, byRest.artifact))

      const again = { ...change, expectedRevision: 1 }
      const refusals = [
        await alice
          .call('updateArtifact', { id: mission.id, artifactId: rest.artifact.id, ...again })
          .catch((error: Error) => error),
        await alice
          .protocol('update-artifact', {
            missionId: mission.id,
            artifactId: protocol.artifact.id,
            ...again,
          })
          .catch((error: Error) => error),
      ]
      expect(refusals[0]).toMatchObject({ code: 'revision_mismatch' })
      const [ofRest, ofProtocol] = [rest, protocol].map(({ artifact: { id } }, at) =>
        JSON.stringify(refusals[at])
          .replaceAll(id, 'its id')
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time'),
      )
      expect(ofProtocol).toEqual(ofRest)
      expect(refusals[1]).toMatchObject({ message: expect.stringMatching(/revision 2/) })
    },
  )

  test('a session, an objective or its display id names the mission', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { agent } = await world.attachedRun(objective)
    const scopes = [
      { sessionKey: agent.sessionKey() },
      { sessionKey: objective.displayId },
      { objectiveId: objective.displayId },
      { objectiveId: objective.id, missionId: mission.id },
    ]
    for (const scope of scopes) {
      const { artifact } = await alice.protocol('add-artifact', { ...text, ...scope })
      expect(artifact).toMatchObject({
        missionId: mission.id,
        objectiveId: objective.id,
        deliveryId: null,
      })
    }
    const { mission: other } = await world.missionWith([])
    const wrong = { sessionKey: agent.sessionKey(), missionId: other.id }
    await expect(alice.protocol('add-artifact', { ...text, ...wrong })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test(
    'it is published without delivering, as a sign of life',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      await world.advance(301)
      await world.settle()
      await alice.protocol('add-artifact', { ...text, sessionKey: agent.sessionKey() })
      expect((await alice.objective(mission.objectives[0])).state).toBe('executing')
      const row = await world.domain.db
        .selectFrom('agent_sessions')
        .select('status')
        .where('mission_id', '=', mission.id)
        .executeTakeFirst()
      expect(row?.status).toBe('active')
    },
  )
})

describe('by tool', () => {
  test(
    verifies(
      ['tool.svc_add_artifact.scope', 'tool.svc_update_artifact.scope'],
      'missionId names the mission, and so does the display id of an objective as objectiveId or sessionKey',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      await world.missionWith(['another'])
      const [{ displayId }] = mission.objectives
      const scopes = [
        { missionId: mission.id },
        { missionId: mission.displayId },
        { objectiveId: displayId },
        { sessionKey: displayId },
      ]
      const ids: string[] = []
      for (const scope of scopes) {
        const { artifact } = await alice.tool('svc_add_artifact', { ...text, ...scope })
        expect(artifact).toMatchObject({ ...text, missionId: mission.id, revision: 1 })
        ids.push(artifact.id)
      }
      const [artifactId = ''] = ids
      for (const [index, scope] of scopes.entries()) {
        const change = { artifactId, expectedRevision: index + 1, label: `Next ${index}` }
        const { artifact } = await alice.tool('svc_update_artifact', { ...change, ...scope })
        expect(artifact).toMatchObject({ id: artifactId, label: change.label, revision: index + 2 })
      }
      const { artifacts } = await alice.call('listArtifacts', { id: mission.id })
      expect(artifacts.map(({ id }) => id)).toEqual(ids.toReversed())

      const nameless = 'name the mission'
      await expect(alice.tool('svc_add_artifact', text)).rejects.toThrow(nameless)
      const change = { artifactId, expectedRevision: scopes.length + 1, label: 'Lost' }
      await expect(alice.tool('svc_update_artifact', change)).rejects.toThrow(nameless)
      const { mission: other } = await world.missionWith([])
      await expect(
        alice.tool('svc_update_artifact', { ...change, missionId: other.id }),
      ).rejects.toMatchObject({ code: 'not_found' })
    },
  )
})

async function rowOf(world: World, artifact: { id: string }) {
  const row = await world.domain.db
    .selectFrom('artifacts')
    .selectAll()
    .where('id', '=', artifact.id)
    .executeTakeFirstOrThrow()
  return { ...row, id: '', created_at: null, updated_at: null }
}
