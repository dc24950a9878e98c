import type { z } from 'zod'

export interface EnvironmentVariable {
  readonly description: string
  /** What stands when the variable is unset, written as one would set it; by app where the apps differ. */
  readonly default?: string | Readonly<Record<string, string>>
  /** In words, where no value stands for an unset variable: it is required, or taken from elsewhere. */
  readonly unset?: string
  /** Never shown; where a process of the service alone reads it, it may be given as `<NAME>_FILE`. */
  readonly secret?: true
  /** Never handed to a runner or an agent. Decision 44. */
  readonly serverOnly?: true
  /** What will read it: nothing does yet. */
  readonly planned?: string
  /** Reads the text of a variable that is set. */
  readonly schema: z.ZodType<unknown, string>
}

/** What stands when this variable is unset, for the page that shows the table. */
export function describeDefault({ default: given, unset = 'none' }: EnvironmentVariable): string {
  if (typeof given !== 'object') return given || unset
  return Object.entries(given)
    .map(([app, value]) => `${value} (${app})`)
    .join(', ')
}
