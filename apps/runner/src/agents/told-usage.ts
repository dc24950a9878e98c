import { type Usage, usageOf } from '@svc/contracts/usage'
import { z } from 'zod'
import { OutputPath } from './output-path.ts'

export const Covered = z.enum(['run', 'conversation'])
export type Covered = z.infer<typeof Covered>

/** Where an agent prints what it has used, and of what: an agent that goes on with a conversation may count all of it. */
export const UsagePath = OutputPath.extend({ covers: Covered.default('run') })

/** What an agent says that it has used, as it prints it. */
export type ToldUsage = Partial<Record<Covered, Usage>>

export interface UsageNotes {
  note: (covers: Covered, what: keyof Usage, value: unknown) => void
  /** Undefined where nothing that it said is known. */
  told: () => ToldUsage | undefined
}

/** The last number of each counts. */
export function noteUsage(): UsageNotes {
  const found: Record<Covered, Record<string, unknown>> = { run: {}, conversation: {} }
  return {
    note(covers, what, value) {
      if (typeof value === 'number') found[covers][what] = value
    },
    told() {
      const run = usageOf(found.run)
      const conversation = usageOf(found.conversation)
      if (run === undefined && conversation === undefined) return undefined
      return { ...(run && { run }), ...(conversation && { conversation }) }
    },
  }
}
