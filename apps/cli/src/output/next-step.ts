import type { AdvisedStep } from '@svc/contracts/advised-step'
import { type NextStep, commandOf, purposeOf } from '@svc/contracts/next-step'
import { steps } from '@svc/contracts/steps'
import { fitsCell } from './short-cell.ts'

/** The step in the words of who has a command line. */
export function commandStep(next: NextStep): string {
  const command = commandOf(next)
  return `${purposeOf(next)}${typedBy(command)}: ${command}`
}

/** How what the command reads is ended, where a person types it. */
function typedBy(command: string): string {
  return command.endsWith('-file -') ? ' (type it, then Ctrl-D)' : ''
}

/** The text with the step that helps, where there is one. */
export function withStep(text: string, next: NextStep | undefined): string {
  return next === undefined ? text : `${text} ${commandStep(next)}`
}

/** What a person may do now: why, and the command that does it as it stands. */
export interface Step {
  readonly why: string
  readonly command: string
}

/** What the service advises. Where something is to be chosen first, the command is the one that lists it. */
export function stepOf({ why, because = '', before, next, after }: AdvisedStep): Step {
  const command = commandOf(next)
  const { tool } = steps[next.operation]
  const where = tool !== null && typeof tool === 'object' ? ` ${purposeOf(next)}` : ''
  const reason = withStep(because, before)
  // what fits there stands in a table
  const more = fitsCell(reason) ? '' : `: ${reason}`
  const said = `${why}${more}${where}${typedBy(command)}`
  if (after === undefined) return { why: said, command }
  const last = commandOf(after)
  return isToFill(last)
    ? { why: `${said} (${last}): see which there are`, command }
    : { why: said, command: `${command} && ${last}` }
}

/** The same in a line, with the command that does it in the end. */
export function lineOf(step: AdvisedStep): string {
  const last = step.after && commandOf(step.after)
  const { why, command } = stepOf(step)
  return last !== undefined && isToFill(last) ? `${step.why}: ${last}` : `${why}: ${command}`
}

function isToFill(command: string): boolean {
  return command.includes('<')
}
