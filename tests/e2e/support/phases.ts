import type { Machine } from './machine.ts'
import type { Gate, Outage } from './proxy.ts'
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

// The keys of an object literal are its key type; Object.keys only says string.
const all = Object.keys(calls) as Phase[]

/**
 * The moments in which each process is killed. The default run takes two, one on either side of the attach;
 * `SVC_TEST_DOSE=full npm test tests/e2e` takes all.
 */
export const phases: Phase[] =
  process.env['SVC_TEST_DOSE'] === 'full' ? all : ['preparing', 'attached']

/** Ways to lose the network. Each is waited out for a whole lease, so that only the full dose takes them. */
export const outages: Outage[] =
  process.env['SVC_TEST_DOSE'] === 'full' ? ['cut', 'requests lost', 'answers lost'] : []

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
