/** What a model does next, in words that are no tool's: it says something, runs a command, or writes a file. */
export type Step = { say: string } | { run: string } | { write: string; content: string }

/** An answer by which a maker's server refuses. */
export interface Refusal {
  status: number
  headers?: Record<string, string>
  body: unknown
}

/** A tool that the model calls, by the name and with the arguments that the tool's maker gave it. */
export interface Call {
  name: string
  input: Record<string, unknown>
  /** It takes one text in place of arguments. */
  isFreeform?: boolean
}

/** How a tool offers to run commands and to write files, by what it offers in the request. */
export interface Hands {
  run: (command: string, offered: readonly string[]) => Call
  write: (path: string, content: string, offered: readonly string[]) => Call
}

/**
 * How many steps of a plan were taken, by what the conversation says that the model said and called. A step is known
 * by its own words, so no two of a plan may have the same, and none may hold what JSON spells otherwise.
 */
export function stepsTaken(steps: readonly Step[], said: readonly string[]): number {
  return steps.findLastIndex((step) => said.some((text) => text.includes(wordsOf(step)))) + 1
}

/** By which the step is known wherever it is named. */
export function wordsOf(step: Step): string {
  if ('say' in step) return step.say
  return 'run' in step ? step.run : step.content.trim()
}
