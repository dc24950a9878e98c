import { randomUUID } from 'node:crypto'
import { limits } from '@svc/contracts/limits'
import { describe, expect } from 'vitest'
import type { Person } from '../testing/people.ts'
import { tokenForObjective } from '../testing/stored.ts'
import { type World, test as base } from '../testing/world.ts'

/** Two missions of two projects, each with a run that has asked something. */
const test = base.extend('places', { scope: 'file' }, async ({ world }) => {
  return [await askedAt(world), await askedAt(world)] as const
})

async function askedAt(world: World) {
  const { mission } = await world.missionWith(['ask', 'wait'])
  const [objective, other] = mission.objectives
  const { agent, lease } = await world.attachedRun(objective)
  const { questionId } = await agent.ask()
  return { mission, objective, other, requestId: lease.id, questionId }
}

/** What each list answers to these ids. */
async function read({ call }: Person, ids: readonly string[], more: object = {}) {
  const asked = { ids: ids.join(','), ...more }
  const { missions } = await call('listMissions', asked)
  const { objectives } = await call('listObjectives', asked)
  const { executionRequests } = await call('listExecutionRequests', asked)
  const { questions } = await call('listQuestions', asked)
  return [missions, objectives, executionRequests, questions].map((list) =>
    list.map(({ id }) => id).toSorted(),
  )
}

describe('what is read by its ids', () => {
  test('is as it would be alone, and what is unknown or of another kind is left out', async ({
    world: { alice },
    places: [one, two],
  }) => {
    const ids = [one, two].flatMap(({ mission, objective, requestId, questionId }) => [
      mission.id,
      objective.id,
      requestId,
      questionId,
    ])
    expect(await read(alice, [...ids, randomUUID()])).toEqual(
      (
        [
          [one.mission.id, two.mission.id],
          [one.objective.id, two.objective.id],
          [one.requestId, two.requestId],
          [one.questionId, two.questionId],
        ] as const
      ).map((list) => list.toSorted()),
    )
    const { objectives } = await alice.call('listObjectives', { ids: one.objective.id })
    expect(objectives).toEqual([await alice.objective(one.objective)])
    const { executionRequests } = await alice.call('listExecutionRequests', { ids: one.requestId })
    const alone = await alice.request({ id: one.requestId })
    expect(executionRequests).toEqual([expect.objectContaining(alone)])
    const { questions } = await alice.call('listQuestions', { ids: one.questionId })
    expect(questions).toEqual([(await alice.call('getQuestion', { id: one.questionId })).question])
  })

  test('is nothing that the caller may not see', async ({ world, places: [one, two] }) => {
    const { alice, carla } = world
    const ids = [one, two].flatMap(({ mission, objective, other, requestId, questionId }) => [
      mission.id,
      objective.id,
      other.id,
      requestId,
      questionId,
    ])
    const bound = await alice.withToken({
      preset: 'read_only',
      projectIds: [one.mission.projectId],
    })
    expect(await read(bound, ids)).toEqual([
      [one.mission.id],
      [one.objective.id, one.other.id].toSorted(),
      [one.requestId],
      [one.questionId],
    ])
    const ofObjective = await tokenForObjective(world, alice, one.other)
    expect(await read(ofObjective, ids)).toEqual([[one.mission.id], [one.other.id], [], []])
    expect(await read(carla, ids)).toEqual([[], [], [], []])
  })

  test('goes together with other filters, and comes in pages', async ({
    world: { alice },
    places: [one, two],
  }) => {
    const ids = [one, two].flatMap(({ mission, requestId, questionId }) => [
      mission.id,
      requestId,
      questionId,
    ])
    const asked = { ids: ids.join(',') }
    const { missions } = await alice.call('listMissions', {
      ...asked,
      projectId: one.mission.projectId,
      statusTypes: 'execute',
    })
    expect(missions.map(({ id }) => id)).toEqual([one.mission.id])
    const first = await alice.call('listMissions', { ...asked, limit: 1 })
    const second = await alice.call('listMissions', {
      ...asked,
      limit: 1,
      cursor: first.nextCursor ?? '',
    })
    expect([first, second].map((page) => page.missions.map(({ id }) => id))).toEqual([
      [two.mission.id],
      [one.mission.id],
    ])
    expect(second.nextCursor).toBeUndefined()
    const runs = { ...asked, state: 'running', missionId: two.mission.id } as const
    const { executionRequests } = await alice.call('listExecutionRequests', runs)
    expect(executionRequests.map(({ id }) => id)).toEqual([two.requestId])
    const open = { ...asked, status: 'open', missionId: one.mission.id } as const
    const { questions } = await alice.call('listQuestions', open)
    expect(questions.map(({ id }) => id)).toEqual([one.questionId])
  })

  test('is so many at once and no more', async ({ world: { alice }, places: [one] }) => {
    const many = Array.from({ length: limits.idsAtOnce - 1 }, () => randomUUID())
    const most = await read(alice, [...many, one.mission.id], { limit: limits.pageItemsMax })
    expect(most[0]).toEqual([one.mission.id])
    const refused = { name: 'ZodError' }
    const ids = [...many, one.mission.id, one.objective.id].join(',')
    for (const name of [
      'listMissions',
      'listObjectives',
      'listExecutionRequests',
      'listQuestions',
    ] as const) {
      await expect(alice.call(name, { ids })).rejects.toMatchObject(refused)
      await expect(alice.call(name, { ids: 'web:12' })).rejects.toMatchObject(refused)
    }
  })

  test('is gone once its mission or objective is deleted', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['stays', 'goes'])
    const [stays, goes] = mission.objectives
    const { mission: gone } = await world.missionWith(['goes with it'])
    await alice.call('deleteObjectives', { objectiveIds: [goes.id], confirm: true })
    await alice.call('deleteMissions', { missionIds: [gone.id], confirm: true })
    const ids = [mission.id, gone.id, stays.id, goes.id, gone.objectives[0].id]
    expect(await read(alice, ids)).toEqual([[mission.id], [stays.id], [], []])
  })
})

describe('a question', () => {
  test('is read by its id by whoever may read its objective', async ({ world, places: [one] }) => {
    const { alice, carla } = world
    const id = one.questionId
    const { question } = await alice.call('getQuestion', { id })
    expect(question).toMatchObject({ id, objectiveId: one.objective.id, status: 'open' })
    const refused = { code: 'not_found' }
    const sibling = await tokenForObjective(world, alice, one.other)
    const [other] = [await world.projectWith()]
    const bound = await alice.withToken({ preset: 'read_only', projectIds: [other.id] })
    for (const caller of [carla, sibling, bound]) {
      await expect(caller.call('getQuestion', { id })).rejects.toMatchObject(refused)
    }
    const own = await tokenForObjective(world, alice, one.objective)
    expect((await own.call('getQuestion', { id })).question).toEqual(question)
  })
})
