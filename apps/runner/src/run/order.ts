import { z } from 'zod'
import { Assignment } from '@svc/contracts/assignment'
import { CloneUrl } from '@svc/contracts/clone-url'
import { ResourceKey } from '@svc/contracts/ids'
import { Rights } from '@svc/contracts/rights'
import { Device } from '@svc/contracts/runner'
import { Adapter } from '../agents/adapter.ts'
import { type TerminationTiming, atOnce } from '../processes/graceful-termination.ts'

/** How long things may take, in seconds. */
export const Timing = z.strictObject({
  /** From SIGINT to SIGTERM. */
  interruptSeconds: z.number().nonnegative(),
  /** From SIGTERM to SIGKILL. */
  terminateSeconds: z.number().nonnegative(),
  /** An agent that delivered may stay so long. */
  stayAfterDeliverySeconds: z.number().nonnegative(),
  /** A successor waits so long for a delivered run to leave the checkout. */
  handOverSeconds: z.number().nonnegative(),
  /** All pre-launch commands together. */
  preLaunchSeconds: z
    .number()
    .nonnegative()
    .default(15 * 60),
  /** An agent that is spoken with has so long for its first answer. */
  initializeSeconds: z.number().nonnegative().default(60),
  /** One whose turn is over has so long to end by itself. */
  closeSeconds: z.number().nonnegative().default(10),
  /** For so long a push that was refused is tried again at the end of a run whose machine is gone after it. */
  pushSeconds: z
    .number()
    .nonnegative()
    .default(10 * 60),
})
export type Timing = z.infer<typeof Timing>

export const defaultTiming: Timing = {
  interruptSeconds: 10,
  terminateSeconds: 5,
  stayAfterDeliverySeconds: 600,
  handOverSeconds: 60,
  preLaunchSeconds: 15 * 60,
  initializeSeconds: 60,
  closeSeconds: 10,
  pushSeconds: 10 * 60,
}

/** What runners kept before services said how much they keep. */
export const logBytesBefore = 4 * 1024 * 1024

/** All that a supervisor needs, as the daemon writes it before it starts one. The runner's token is not in it. */
export const RunOrder = z.strictObject({
  assignment: Assignment,
  leaseToken: z.string(),
  /** What the agent calls the service with; null: with the runner's own. */
  agentToken: z.string().nullable().default(null),
  leaseSeconds: z.number().positive(),
  heartbeatSeconds: z.number().positive(),
  /** How much of the output the service keeps. */
  logBytes: z.number().int().positive().default(logBytesBefore),
  serviceUrl: z.string(),
  home: z.string(),
  instanceId: z.string(),
  device: Device,
  bootId: z.string(),
  /** Null when this machine does not have the agent. */
  agent: z.strictObject({ adapter: Adapter, command: z.array(z.string()).min(1) }).nullable(),
  /** What this runner lets an agent do at most. */
  maxRights: Rights.default('all'),
  /** Where the resources of the project lie on this machine. */
  checkouts: z.record(z.string(), z.string()),
  /** Those of them that are to be cloned there first, with where from. */
  clones: z.record(ResourceKey, CloneUrl).default({}),
  /** Its machine is gone after it: what is not at its origin then is lost. */
  ephemeral: z.boolean().default(false),
  timing: Timing,
})
export type RunOrder = z.infer<typeof RunOrder>

/** An agent that is spoken with must not go on by itself where nobody answers it any more: it would decide alone. */
export function terminationAfterLoss({
  agent,
  timing,
}: Pick<RunOrder, 'agent' | 'timing'>): TerminationTiming {
  return agent?.adapter.protocol === 'acp' ? atOnce : timing
}

/** What lets others act for the run, or for its runner. */
export function secretsOf(
  { leaseToken, agentToken }: Pick<RunOrder, 'leaseToken' | 'agentToken'>,
  { SVC_USER_TOKEN: own }: NodeJS.ProcessEnv,
): string[] {
  return [leaseToken, agentToken, own].filter((secret) => secret != null)
}

/** The times of the graceful termination, from `SVC_RUNNER_LADDER_SECONDS`: two numbers as in `10,5`. */
export function terminationTimingFrom(env: NodeJS.ProcessEnv): Partial<Timing> {
  const text = env['SVC_RUNNER_LADDER_SECONDS']
  if (!text) return {}
  const [interruptSeconds = NaN, terminateSeconds = NaN] = text.split(',').map(Number)
  return Timing.pick({ interruptSeconds: true, terminateSeconds: true }).parse({
    interruptSeconds,
    terminateSeconds,
  })
}
