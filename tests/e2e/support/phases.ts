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

/** The default run takes a few; `SVC_TEST_DOSE=full npm test tests/e2e` takes all. */
export const isFull = process.env['SVC_TEST_DOSE'] === 'full'

const dose = <T>(few: readonly T[], more: readonly T[]) => (isFull ? [...few, ...more] : few)

/** The moments in which a process is killed. The default run takes one on either side of the attach. */
export const phasesBeforeWork = dose<Phase>(['preparing'], ['before launching'])
export const phasesOfWork = dose<Phase>(['attached'], ['delivering'])
export const phases = [...phasesBeforeWork, ...dose<Phase>([], ['spawned']), ...phasesOfWork]

/** Ways to lose the network. Each is waited out for a whole lease, so that only the full dose takes them. */
export const outages = dose<Outage>([], ['cut', 'requests lost', 'answers lost'])

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
