import { z } from 'zod'
import { ChosenCheck } from './check.ts'
import { freeText, hasVisible } from './free-text.ts'
import { AgentKey, Effort, ModelName, ResourceKey, Revision, Timestamp, Uuid } from './ids.ts'
import { limits } from './limits.ts'
import { LastOutcome, ObjectiveState } from './states.ts'
import { UsageSum, noUsage } from './usage.ts'

export const Title = freeText()
  .trim()
  .min(1)
  .max(limits.titleCharacters)
  .refine(hasVisible, 'write something that can be seen')
export const Instruction = freeText().max(limits.instructionCharacters)

// spec: Resources and their fields > Objective
export const Objective = z.strictObject({
  id: Uuid,
  displayId: z.string(),
  missionId: Uuid,
  position: z.int().nullable(),
  title: z.string(),
  instruction: z.string(),
  state: ObjectiveState,
  lastOutcome: LastOutcome.nullable(),
  assigned_agent: z.string().nullable(),
  model: z.string().nullable(),
  reasoning_effort: z.string().nullable(),
  resource_key: z.string().nullable(),
  /** The one check that stands before its delivery, or `none`; null: all of the project's. */
  check: z.string().nullable().default(null),
  branch: z.string().nullable(),
  approvalRefusal: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** What its runs have used. */
  usage: UsageSum.default(noUsage),
  revision: Revision,
  createdAt: Timestamp,
  completedAt: Timestamp.nullable(),
})
export type Objective = z.infer<typeof Objective>

/** As it is read together with others, where its instruction may be cut. */
export const ListedObjective = z.strictObject({
  ...Objective.shape,
  /** Only where it is cut: the bytes of all of it, which `getObjective` answers. */
  instructionBytes: z.int().optional(),
})
export type ListedObjective = z.infer<typeof ListedObjective>

/** An objective as it is added: its title is the first line of the instruction when none is given. */
export const ObjectiveInput = z.strictObject({
  instruction: Instruction,
  title: Title.optional(),
  assigned_agent: AgentKey.optional(),
  model: ModelName.optional(),
  reasoning_effort: Effort.optional(),
  resource_key: ResourceKey.optional(),
  /** A person's to say. */
  check: ChosenCheck.optional(),
})
export type ObjectiveInput = z.infer<typeof ObjectiveInput>
