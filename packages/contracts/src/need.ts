import { z } from 'zod'
import { DeliveryChecks } from './check.ts'
import { Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { NextStep } from './next-step.ts'
import { Question } from './question.ts'
import { EntryReason, PauseReason } from './run-queue.ts'
import { RunState } from './states.ts'
import { DisabledReason } from './webhook-subscription.ts'

/** What waits for a person, in the order in which it is listed: agents that wait come first. Decision 92. */
export const NeedKind = z.enum([
  'question',
  'review',
  'approval',
  'stopped_run',
  'held_entry',
  'paused_queue',
  'untaken_launch',
  'disabled_webhook',
  'ending_token',
])
export type NeedKind = z.infer<typeof NeedKind>

export const ProjectName = z.strictObject({ id: Uuid, slug: z.string() })
const Named = z.strictObject({ id: Uuid, displayId: z.string(), title: z.string() })

const any = {
  /** Of what waits: the question, mission, objective, entry, queue, run, webhook or token. */
  id: Uuid,
  since: Timestamp,
  /** It came of a launch of whoever asks, or is theirs; for admins also what nobody launched. */
  mine: z.boolean(),
  /** Left out for who may not. */
  next: NextStep.optional(),
}
const ofMission = { ...any, project: ProjectName, mission: Named }
const ofObjective = { ...ofMission, objective: Named }

const ofKind = <Kind extends NeedKind, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(kind), ...shape })

/** How much there is to look at; what its run did not report is null. */
const DeliverySize = z.strictObject({
  id: Uuid,
  createdAt: Timestamp,
  files: z.int().nullable(),
  additions: z.int().nullable(),
  deletions: z.int().nullable(),
  checks: DeliveryChecks.shape.outcome.nullable(),
  /** Things that the agent left for a person to do. */
  humanActions: z.int(),
})

/** One thing that waits for a person. Once its cause is gone, so is the row. */
export const Need = z.discriminatedUnion('kind', [
  ofKind('question', {
    ...ofObjective,
    question: Question,
    /** Where its agent is; null where nobody launched it. */
    runner: z.string().nullable(),
  }),
  ofKind('review', {
    ...ofMission,
    /** The newest; null where nothing was delivered. */
    delivery: DeliverySize.nullable(),
  }),
  ofKind('approval', {
    ...ofObjective,
    /** Why it was not launched by itself; null where its mission asks for approval of each. */
    refusal: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  }),
  ofKind('stopped_run', {
    ...ofObjective,
    /** Null where nobody launched its agent. */
    run: z.strictObject({ id: Uuid, agent: z.string(), state: RunState }).nullable(),
    reason: z.string(),
  }),
  ofKind('held_entry', {
    ...ofObjective,
    queue: z.strictObject({ id: Uuid, name: z.string() }),
    reason: EntryReason.nullable(),
  }),
  ofKind('paused_queue', {
    ...any,
    project: ProjectName,
    queue: z.strictObject({ id: Uuid, name: z.string() }),
    /** Null where a person paused it. */
    reason: PauseReason.nullable(),
    /** How many entries wait in it. */
    waiting: z.int(),
  }),
  ofKind('untaken_launch', {
    ...ofObjective,
    run: z.strictObject({ id: Uuid, agent: z.string() }),
    reason: z.string(),
  }),
  ofKind('disabled_webhook', {
    ...any,
    /** Null: of all projects. */
    project: ProjectName.nullable(),
    webhook: z.strictObject({ id: Uuid, name: z.string(), reason: DisabledReason }),
  }),
  ofKind('ending_token', {
    ...any,
    token: z.strictObject({
      id: Uuid,
      label: z.string(),
      /** `oauth`: of an application that its person let in. */
      kind: z.enum(['minted', 'oauth']),
      endsAt: Timestamp,
      person: z.strictObject({ id: Uuid, name: z.string() }),
    }),
  }),
])
export type Need = z.infer<typeof Need>

const counted = z.int().min(0).max(limits.countedNeeds)

/** So many of each; `limits.countedNeeds` stands for as many or more. */
export const NeedCounts = z.record(NeedKind, z.strictObject({ mine: counted, all: counted }))
export type NeedCounts = z.infer<typeof NeedCounts>
