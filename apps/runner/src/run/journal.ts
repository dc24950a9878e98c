import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentLimit } from '@svc/contracts/agent-limit'
import { z } from 'zod'
import { Prepared } from '@svc/contracts/assignment'
import { ExitCause } from '@svc/contracts/runner'
import type { ProcessIdentity } from '@svc/process/process-identity'
import { readIfThere } from '../files/durable-file.ts'

const identity = { pid: z.int(), pidStartedAt: z.string() }

export const JournalStep = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('claimed'),
    requestId: z.string(),
    generation: z.int(),
    bootId: z.string(),
  }),
  z.object({ step: z.literal('supervisor'), ...identity }),
  z.object({ step: z.literal('prepared'), ...Prepared.shape }),
  /** The checkout that has to become clean or free before the run can start here. */
  z.object({ step: z.literal('blocked'), checkout: z.string() }),
  /** A pre-launch command, by its position in the list. */
  z.object({ step: z.literal('command'), index: z.int(), ...identity }),
  z.object({ step: z.literal('spawning'), argvRedacted: z.array(z.string()) }),
  z.object({ step: z.literal('spawned'), ...identity }),
  z.object({ step: z.literal('launched') }),
  z.object({ step: z.literal('native'), externalSessionId: z.string() }),
  /** What the agent said last is a limit of its provider. */
  z.object({
    step: z.literal('limited'),
    kind: AgentLimit,
    until: z.string().optional(),
    /** For that it was ended, whatever its exit code. */
    endsRun: z.boolean().optional(),
  }),
  /** From here on the service refused the runner's token, or its right, until it took it again. */
  z.object({ step: z.literal('refused'), code: z.string() }),
  z.object({ step: z.literal('accepted') }),
  z.object({
    step: z.literal('exited'),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    /** Why it was ended; missing where it ended by itself. */
    cause: ExitCause.optional(),
  }),
  /** The last process of the run was gone. */
  z.object({ step: z.literal('ended'), at: z.iso.datetime() }),
  /** The run's last report is in the outbox. */
  z.object({
    step: z.literal('reported'),
    report: z.string(),
    /** Why it was given back. */
    reason: z.string().optional(),
  }),
  z.object({ step: z.literal('cleaned') }),
])
export type JournalStep = z.infer<typeof JournalStep>
type StepOf<N extends JournalStep['step']> = Extract<JournalStep, { step: N }>

/** Adds one line and returns once it is on the disk. Throws ENOSPC when the disk is full. */
export function appendJournal(folder: string, step: JournalStep): void {
  const handle = openSync(join(folder, 'journal.ndjson'), 'a', 0o600)
  try {
    // The first line break parts this line from one that a crash cut off.
    writeFileSync(handle, `\n${JSON.stringify(step)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Every whole line; a last one that was cut off by a crash never happened. */
export function readJournal(folder: string): JournalStep[] {
  const text = readIfThere(join(folder, 'journal.ndjson')) ?? ''
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = JournalStep.safeParse(JSON.parse(line))
      return parsed.success ? [parsed.data] : []
    } catch {
      return []
    }
  })
}

/** The last step of that name. */
export function findStep<N extends JournalStep['step']>(
  steps: readonly JournalStep[],
  name: N,
): StepOf<N> | undefined {
  // The name that was looked for decides the member of the union.
  return steps.findLast((step) => step.step === name) as StepOf<N> | undefined
}

/** Whether the service refuses the token of the run's runner. */
export function isRefused(steps: readonly JournalStep[]): boolean {
  return steps.findLast(({ step }) => step === 'refused' || step === 'accepted')?.step === 'refused'
}

/** Where the run was prepared to work. */
export function foldersOf(steps: readonly JournalStep[]): string[] {
  const prepared = findStep(steps, 'prepared')
  return prepared ? [prepared, ...prepared.others].map((one) => one.workingDirectory) : []
}

/** What led the process groups of the run: its commands, then its agent; and the supervisor's own. */
export function leadersOf(
  steps: readonly JournalStep[],
  { andSupervisor = false }: { andSupervisor?: boolean } = {},
): ProcessIdentity[] {
  return steps.flatMap((step) =>
    step.step === 'command' ||
    step.step === 'spawned' ||
    (andSupervisor && step.step === 'supervisor')
      ? [{ pid: step.pid, startedAt: step.pidStartedAt }]
      : [],
  )
}

export function isDone(steps: readonly JournalStep[]): boolean {
  return findStep(steps, 'cleaned') !== undefined
}
