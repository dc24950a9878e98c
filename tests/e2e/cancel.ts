import { findStep } from '@svc/runner/run/journal'
import { expect } from 'vitest'
import type { Machine } from './support/machine.ts'
import { programs } from './support/programs.ts'
import { type Phase, heldIn } from './support/phases.ts'
import { startNode } from './support/processes.ts'
import type { Scene } from './support/scene.ts'
import { test } from './support/test.ts'

export async function cancel({ objective, token }: Scene, baseUrl: string) {
  const env = { SVC_BACKEND_URL: baseUrl, SVC_USER_TOKEN: token }
  const args = ['cancel', objective.displayId, '--reason', 'the wrong branch', '--json']
  const svc = startNode(programs.svc, args, { env })
  const { code } = await svc.ended
  if (code !== 0) throw new Error(`svc cancel failed: ${svc.output()}`)
}

export async function expectCancelled(scene: Scene, machine: Machine) {
  const run = await scene.untilEnded()
  await machine.settled()
  const { objective } = await scene.client.call('getObjective', { id: scene.objective.id })
  expect(objective).toMatchObject({ lastOutcome: 'cancelled' })
  expect((await scene.events())[0]).toMatchObject({
    type: 'execution_cancelled',
    summary: 'Cancelled: the wrong branch',
  })
  return run
}

export function letsNoAgentBeStarted(phase: Phase): void {
  test(`lets no agent be started of a run that is ${phase}`, async ({ service }) => {
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, phase)

    await cancel(scene, service.baseUrl)
    gate.open()

    expect(await expectCancelled(scene, machine)).toMatchObject({ status: 'cancelled' })
    expect(findStep(machine.runs().at(-1)?.steps ?? [], 'spawned')).toBeUndefined()
  })
}
