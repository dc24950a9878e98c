import { ServiceError } from '@svc/contracts/errors'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test as base } from '../testing/hooked-world.ts'
import { type Step, hearCommits, noteStep } from './steps.ts'
import { inTransaction, savepoint } from './transaction.ts'
import type { UnitOfWork } from './unit-of-work.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
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

test('nothing is told of what was undone', async ({ world: { domain }, heard }) => {
  const note = (tx: UnitOfWork, id: string) =>
    noteStep(tx, () => ({
      did: 'record',
      id,
      type: 'update',
      workspaceId: '',
      missionId: '',
      objectiveId: null,
      executionRequestId: null,
    }))
  const refused = inTransaction({ domain }, async (tx) => {
    note(tx, 'of the refused')
    throw new ServiceError('not_found', 'There is nothing.')
  })
  await expect(refused).rejects.toMatchObject({ code: 'not_found' })
  await inTransaction({ domain }, async (tx) => {
    note(tx, 'of the whole')
    const part = await savepoint(tx, async () => {
      note(tx, 'of the part')
      await sql`select 1 / 0`.execute(tx)
    })
    expect(part.ok).toBe(false)
  })
  const told = heard.filter(({ id }) => id.startsWith('of the'))
  expect(told.map(({ id }) => id)).toEqual(['of the whole'])
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
