import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('display ids', () => {
  test(
    verifies(
      ['mission.display-id-format', 'mission.display-id-unique'],
      'of 64 missions made at once are slug:1 to slug:64',
    ),
    async ({ world }) => {
      const project = await world.projectWith()
      const made = await Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          world.alice.call('createMission', { projectId: project.slug, title: `m${index}` }),
        ),
      )
      const expected = Array.from({ length: 64 }, (_, index) => `${project.slug}:${index + 1}`)
      expect(made.map((one) => one.mission.displayId).toSorted()).toEqual(expected.toSorted())
      const twice = world.domain.db
        .insertInto('missions')
        .columns([
          'workspace_id',
          'id',
          'project_id',
          'sequence',
          'title',
          'status_id',
          'priority',
          'created_by',
        ])
        .expression((from) =>
          from
            .selectFrom('missions')
            .select([
              'workspace_id',
              (one) => one.fn<string>('gen_random_uuid').as('new_id'),
              'project_id',
              'sequence',
              'title',
              'status_id',
              'priority',
              'created_by',
            ])
            .where('id', '=', made[0]?.mission.id ?? ''),
        )
        .execute()
      await expect(twice).rejects.toMatchObject({ code: '23505' })
    },
  )

  test(
    verifies(
      ['mission.display-id-not-global', 'mission.display-id-scoped'],
      'name a mission of the own workspace alone',
    ),
    async ({ world }) => {
      const { alice, carla } = world
      const [here, there] = await Promise.all(
        [alice, carla].map(async (caller) => {
          const { project } = await caller.call('createProject', { name: 'Same', slug: 'same' })
          return (
            await caller.call('createMission', {
              projectId: project.id,
              title: 'x',
              objectives: [{ instruction: 'do' }],
            })
          ).mission
        }),
      )
      expect([here?.displayId, there?.displayId]).toEqual(['same:1', 'same:1'])
      expect((await alice.mission({ id: 'same:1' })).id).toBe(here?.id)
      expect((await carla.mission({ id: 'same:1' })).id).toBe(there?.id)
      await expect(carla.mission({ id: here?.id ?? '' })).rejects.toMatchObject({
        code: 'not_found',
      })
    },
  )
})
