import { AgentLimit } from '@svc/contracts/agent-limit'
import { z } from 'zod'
import { OutputPath } from './output-path.ts'
import { timeForms } from './read-time.ts'

const Pattern = z.string().min(1).refine(isPattern, 'write a regular expression')

/** When the limit ends. */
const EndsAt = z.strictObject({
  /** The last value there of the whole output; what was said of the limit when left out. */
  at: OutputPath.optional(),
  /** Its first group is the time; all of it when left out. */
  text: Pattern.optional(),
  form: z.enum(timeForms),
})

/** One way in which a tool says that its provider takes no work. All that is named has to hold. */
export const LimitRow = z
  .strictObject({
    kind: AgentLimit,
    /** Where it says so; any line of its output when left out. */
    at: OutputPath.optional(),
    /**
     * Of an agent that is spoken with, in place of the error of its turn: what it says last in a turn that ends well, or a
     * line that it prints between its messages, where it would go on trying: that ends the run.
     */
    where: z.enum(['message', 'printed']).optional(),
    /** What it says, as a regular expression in which capitals count as small letters. */
    text: Pattern.optional(),
    /** The code of an error, where its protocol has one. */
    code: z.union([z.int(), z.string()]).optional(),
    exitCode: z.int().optional(),
    /** It would go on for minutes trying what a person alone can change: the run is ended when it says so. */
    endsRun: z.boolean().optional(),
    /** The first one that is told counts. */
    until: z.array(EndsAt).default([]),
    /** Where that is written down: the maker's documentation, or the tool itself. */
    source: z.string().min(1),
  })
  .refine((row) => row.text !== undefined || row.code !== undefined, {
    path: ['text'],
    error: 'say by which text or code it is known',
  })
export type LimitRow = z.infer<typeof LimitRow>

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'i').source !== ''
  } catch {
    return false
  }
}
