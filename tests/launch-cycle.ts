import type { Hooked } from '@svc/domain/testing/hooked-world'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'

export const callsOfCycle = [
  'launch',
  'claim',
  'launching',
  'launched',
  'attach',
  'deliver',
  'fan-out',
] as const
export type CallOfCycle = (typeof callsOfCycle)[number]

/** Makes one call, and gives its answer back. */
type Around = <T>(name: CallOfCycle, work: () => Promise<T>) => Promise<T>

interface Cycle {
  /** Takes the next objective from its launch to the fan-out of its delivery. */
  next: (around: Around, mintAgentToken?: boolean) => Promise<void>
}

/** A mission of so many objectives, whose delivery a webhook hears of; the first of them moves it into execution. */
export async function openCycle(
  { world, domain, subscribe }: Hooked,
  length: number,
): Promise<Cycle> {
  const { alice } = world
  await subscribe({ eventTypes: ['mission.delivered'] })
  const steps = Array.from({ length }, (_, step) => `step ${step}`)
  const { mission, project } = await world.missionWith(steps)
  const runner = await world.connectedRunner(project)
  const left = mission.objectives.values()
  return {
    async next(around, mintAgentToken = false) {
      const { value, done } = left.next()
      if (done) throw new Error(`the mission has ${length} objectives`)
      const { id } = value
      const key = { idempotencyKey: id }
      await around('launch', () => alice.call('launchObjective', { id, agent: 'scripted' }, key))
      const lease = await around('claim', () => runner.take({ mintAgentToken }))
      await around('launching', () => runner.launching(lease, 'svc/x'))
      await around('launched', () => runner.launched(lease))
      const agent = runner.agent(lease)
      await around('attach', () => agent.attach({}, key))
      await around('deliver', () => agent.deliver({}, key))
      await around('fan-out', () => fanOutDue(domain, defaultTiming))
    },
  }
}
