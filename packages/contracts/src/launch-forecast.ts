import { z } from 'zod'
import { ConfigSource, LaunchConfig } from './execution-request.ts'
import { Timestamp } from './ids.ts'
import { NextStep } from './next-step.ts'
import { Rights } from './rights.ts'
import { Runner } from './runner.ts'

/**
 * What a runner that could take a launch waits for first, or what keeps it from ever taking it: each with whether it passes
 * by itself.
 */
export const candidateReasons = {
  away: { passes: false },
  other_name: { passes: false },
  other_project: { passes: false },
  no_agent: { passes: false },
  no_checkout: { passes: false },
  other_machine: { passes: false },
  agent_held: { passes: true },
  gave_back: { passes: true },
  branch_in_use: { passes: true },
  busy: { passes: true },
} as const satisfies Record<string, { passes: boolean }>
export type CandidateReason = keyof typeof candidateReasons

/** A runner of the workspace, judged for one launch. */
export const Candidate = z.strictObject({
  runner: Runner,
  /** It takes it, now or once what is named has passed. */
  able: z.boolean(),
  /** None where it takes it now. */
  reasons: z.array(
    z.strictObject({
      // the keys of an object literal are those of its type, and it has some
      code: z.enum(Object.keys(candidateReasons) as [CandidateReason, ...CandidateReason[]]),
      /** A sentence about the runner. */
      message: z.string(),
      /** When it passes, where that is known. */
      until: Timestamp.nullable(),
    }),
  ),
})
export type Candidate = z.infer<typeof Candidate>

/** What a launch would be made with, and where each value comes from. Placeholders stay as they are written. */
export const ForecastSettings = z.strictObject({
  ...LaunchConfig.shape,
  /** Null where neither the call nor the objective names one. */
  agent: z.strictObject({ value: z.string().nullable(), source: ConfigSource }),
  /** The checkout that it works in. */
  resourceKey: z.strictObject({ value: z.string().nullable(), source: ConfigSource }),
  /** What the agent may do, before the bound of a runner. */
  rights: z.strictObject({ value: Rights, source: ConfigSource }),
  /** Those that stand before its delivery, by their names. */
  checks: z.strictObject({ value: z.array(z.string()), source: ConfigSource }),
})
export type ForecastSettings = z.infer<typeof ForecastSettings>

/** Why the launch would be refused now. */
export const ForecastRefusal = z.strictObject({
  code: z.string(),
  message: z.string(),
  next: NextStep.optional(),
})
