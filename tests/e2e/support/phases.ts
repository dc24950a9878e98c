import type { Machine } from './machine.ts'
import type { Gate } from './proxy.ts'
import type { Scene } from './scene.ts'

/** Moments of a run, each by the call that is under way then. */
const calls = {
  'before launching': '/launching',
  preparing: '/protocol/load-context',
  spawned: '/protocol/attach',
  attached: '/protocol/update',
  delivering: '/protocol/deliver',
} as const

export type Phase = keyof typeof calls

/** The moments in which a process is killed. */
export const phasesBeforeWork: readonly Phase[] = ['before launching', 'preparing']
export const phasesOfWork: readonly Phase[] = ['attached', 'delivering']
export const phases: readonly Phase[] = [...phasesBeforeWork, 'spawned', ...phasesOfWork]

/** Stops the machine's next run in that moment. */
export function stopIn(machine: Machine, phase: Phase): Gate {
  return machine.proxy.hold(calls[phase])
}

/** A machine whose run is launched, and stands in that moment until the gate opens. */
export async function heldIn(
  scene: Scene,
  phase: Phase,
): Promise<{ machine: Machine; gate: Gate }> {
  const machine = await scene.machine()
  const gate = stopIn(machine, phase)
  await scene.launch()
  await gate.arrived
  return { machine, gate }
}
