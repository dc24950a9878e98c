import { expect } from 'vitest'
import { test as base } from '../testing/hooked-world.ts'
import { type Step, hearCommits } from './steps.ts'

const test = base.extend('heard', async ({}, { onCleanup }) => {
  const steps: Step[] = []
  const hearing = hearCommits((commit) => steps.push(...commit.steps))
  onCleanup(() => hearing[Symbol.dispose]())
  return steps
})

test('a step is told once, however often its call is sent', async ({ world, heard }) => {
  const { mission } = await world.missionWith(['do'])
  const [objective] = mission.objectives
  const key = { idempotencyKey: 'the same launch' }
  const order = { id: objective?.id ?? '', agent: 'scripted' }
  const { executionRequest } = await world.alice.call('launchObjective', order, key)
  await world.alice.call('launchObjective', order, key)
  expect(heard.filter(({ type }) => type === 'execution_requested')).toEqual([
    {
      did: 'record',
      id: expect.any(String),
      type: 'execution_requested',
      workspaceId: world.workspaceId,
      missionId: mission.id,
      objectiveId: objective?.id,
      executionRequestId: executionRequest.id,
    },
  ])
})

test('nothing is told of a call that is refused', async ({ world, heard }) => {
  const { mission } = await world.missionWith(['do'])
  const { id, revision } = mission
  const told = heard.length
  const stale = { id, revision: revision + 1, title: 'Other' }
  await expect(world.alice.call('updateMission', stale)).rejects.toThrow()
  expect(heard.length).toBe(told)
})

test('the fan-out tells how many deliveries it has made of an event', async ({ hooked, heard }) => {
  await hooked.subscribe()
  await hooked.subscribe()
  const { missionId } = await hooked.moveMission()
  await hooked.deliverDue()
  const steps = heard.filter((step) => step.missionId === missionId && step.did !== 'record')
  const [published] = steps
  expect(steps).toEqual([
    expect.objectContaining({ did: 'publish', type: 'mission.status_changed' }),
    { ...published, did: 'fan_out', deliveries: 2 },
  ])
})
