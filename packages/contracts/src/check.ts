import { z } from 'zod'
import { CommitSha } from './assigned-branches.ts'
import { freeText } from './free-text.ts'
import { limits } from './limits.ts'
import { Timestamp } from './ids.ts'
import { maskTokens } from './token-form.ts'

/** Chosen by an objective that is delivered without checks, whatever its project names. */
export const noCheck = 'none'

/** What a project calls a check. */
export const CheckName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'use small letters, digits, points and hyphens')
  .refine((name) => name !== noCheck && name !== 'all', 'this word means no check, or all of them')

/** The one check of its project that an objective chooses, or none; all of them where it chooses nothing. */
export const ChosenCheck = z.union([CheckName, z.literal(noCheck)])

const Command = z
  .string()
  .trim()
  .min(1)
  .max(4000)
  .refine((text) => maskTokens(text) === text, 'leave tokens of the service out of it')

/** What a project has run in the checkout of a run before its delivery is taken, by name. Decision 88. */
export const Checks = z
  .record(
    CheckName,
    z.strictObject({
      /** To one shell. */
      command: Command,
      timeoutSeconds: z.int().min(1).max(limits.checkSecondsMax).optional(),
    }),
  )
  .refine(
    (given) => Object.keys(given).length <= limits.checksPerProject,
    `give at most ${limits.checksPerProject}`,
  )
export type Checks = z.infer<typeof Checks>

/** Those that stand before the delivery of an objective, in the order in which they are run. */
export function checksBefore(named: readonly string[], chosen: string | null): string[] {
  if (chosen === null) return named.toSorted()
  return chosen === noCheck ? [] : [chosen]
}

/** What a runner that is gone after its run does before a delivery, as if it were a check; no check is called so. */
export const pushCheck = 'push to origin'

/** `not_run`: nobody could run it. */
export const CheckOutcome = z.enum(['passed', 'failed', 'timed_out', 'not_run'])
export type CheckOutcome = z.infer<typeof CheckOutcome>

export const CheckResult = z.strictObject({
  name: z.string().max(40),
  outcome: CheckOutcome,
  /** Null where it did not end by itself. */
  exitCode: z.int().nullable(),
  seconds: z.number().min(0).max(1_000_000),
  /** The end of what it printed; of one that was not run, why. */
  output: freeText().max(limits.checkOutputCharacters),
})
export type CheckResult = z.infer<typeof CheckResult>

/** What was checked: the working tree as it was before the first check began. */
const checkedTree = {
  /** Its last commit; null where there is no Git. */
  commit: CommitSha.nullable(),
  /** It had changes that no commit had. */
  dirty: z.boolean(),
  /** It was another one when the last check had ended: the checks themselves, or the agent, changed it meanwhile. */
  changed: z.boolean(),
}

/** What a supervisor says of one attempt. */
export const CheckReport = z.strictObject({
  ...checkedTree,
  /** Nothing in the tree had changed since the attempt before, whose outcome this is. */
  repeated: z.boolean().default(false),
  results: z
    .array(CheckResult)
    .min(1)
    .max(limits.checksPerProject + 1),
})

export type CheckReport = z.infer<typeof CheckReport>

/** The attempt at a delivery that waits for the checks of a run, or was the last one. */
export interface RunChecks {
  attempt: number
  names: string[]
  wantedAt: string
  /** The calls that wait for this attempt, by digests. */
  callers: string[]
  /** When its supervisor said that it has begun. */
  begunAt?: string
  reportedAt?: string
  report?: CheckReport
  /** Who waited was refused with this failure. */
  refused?: true
  /** How many failures were refused before this attempt. */
  failures: number
}

/** What stands on a delivery of its checks. */
export const DeliveryChecks = z.strictObject({
  outcome: z.enum(['passed', 'failed', 'not_run']),
  /** Why they were not run, a sentence. */
  reason: z.string().nullable(),
  ...checkedTree,
  checkedAt: Timestamp.nullable(),
  /** How often a delivery was tried; 0 where nothing was run. */
  attempts: z.int().min(0),
  results: z.array(CheckResult),
})
export type DeliveryChecks = z.infer<typeof DeliveryChecks>

/** Passed only where all did; one that failed counts before one that was not run. */
export function outcomeOfAll(results: readonly CheckResult[]): DeliveryChecks['outcome'] {
  const outcomes = new Set(results.map(({ outcome }) => outcome))
  if (outcomes.has('failed') || outcomes.has('timed_out')) return 'failed'
  return outcomes.has('not_run') || results.length === 0 ? 'not_run' : 'passed'
}

/** A result in one line, as `test failed with exit code 1 after 12 s`. */
export function describeCheck({ name, outcome, exitCode, seconds }: CheckResult): string {
  const after = `after ${seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`
  if (outcome === 'passed') return `${name} passed ${after}`
  if (outcome === 'timed_out') return `${name} was ended at its time limit, ${after}`
  if (outcome === 'not_run') return `${name} was not run`
  return `${name} failed ${exitCode === null ? 'without an exit code' : `with exit code ${exitCode}`} ${after}`
}

/** Those that kept the last delivery of a run from being taken, each in one line; undefined where none did. */
export function describeRefusal({ report, refused }: RunChecks): string | undefined {
  if (!report || !refused) return undefined
  const stopped = report.results.filter(({ outcome }) => outcome !== 'passed')
  return stopped.map(describeCheck).join('; ')
}

/** What the checks that did not pass printed last, each under its own line, of the details of a refusal. */
export function printedByChecks(details: Record<string, unknown> | undefined): string | undefined {
  const parsed = z.array(CheckResult).safeParse(details?.['results'])
  if (!parsed.success) return undefined
  const shown = parsed.data.filter(({ outcome }) => outcome !== 'passed')
  return shown
    .map((one) => `[${describeCheck(one)}]\n${one.output.trimEnd() || 'It printed nothing.'}`)
    .join('\n')
}
