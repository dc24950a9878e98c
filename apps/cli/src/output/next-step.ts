import { type NextStep, commandOf, steps } from '@svc/contracts/next-step'

/** The step in the words of who has a command line. */
export function commandStep(next: NextStep): string {
  const command = commandOf(next)
  const typed = command.endsWith('-file -') ? ' (type it, then Ctrl-D)' : ''
  return `${steps[next.operation].purpose}${typed}: ${command}`
}

/** What is told, and the step that helps, where there is one. */
export function withStep(told: string, next: NextStep | undefined): string {
  return next === undefined ? told : `${told} ${commandStep(next)}`
}
