import { z } from 'zod'
import { NextStep } from './next-step.ts'

/** What a person may do now, as an answer lists it: why, and the step that does it. */
export const AdvisedStep = z.strictObject({
  why: z.string(),
  /** The reason in full, which may stand next to the step already. */
  because: z.string().optional(),
  /** What ends that reason, to be done before the step. */
  before: NextStep.optional(),
  next: NextStep,
  /** What is done after it: with what was found by it where something in it stands for that, as `<key>` does. */
  after: NextStep.optional(),
})
export type AdvisedStep = z.infer<typeof AdvisedStep>
