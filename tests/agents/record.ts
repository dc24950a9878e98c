import { basename } from 'node:path'
import { type Step, wordsOf } from './model/steps.ts'
import type { Part } from './recording.ts'

/** Longer texts add nothing but the service's own answers. */
const longestText = 300
/** Where this machine keeps what it throws away. */
const temporary = /\/[\w/.-]*\/svc e2e \w+/g

/** What was printed, line by line, and after the line that announces a step, the step. */
export function partsOf(output: string, steps: readonly Step[]): Part[] {
  const waiting = [...steps]
  return output
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const at = waiting.findIndex((step) => line.includes(nameOf(step)))
      const done = at < 0 ? [] : waiting.splice(0, at + 1).flatMap(actionOf)
      return [shorten(line), ...done]
    })
}

/** How its line is known: a tool may name the file alone that it writes. */
function nameOf(step: Step): string {
  return 'write' in step ? `${basename(step.write)}"` : wordsOf(step)
}

function actionOf(step: Step): Part[] {
  if ('say' in step) return []
  return 'run' in step ? [step] : [{ ...step, write: basename(step.write) }]
}

function shorten(line: string): string {
  const shown = line.replaceAll(temporary, '/tmp/machine')
  if (!shown.startsWith('{')) return shown
  return JSON.stringify(JSON.parse(shown), (_key, value: unknown) => {
    if (typeof value === 'string' && value.length > longestText) {
      return `${value.slice(0, longestText)}…`
    }
    return value
  })
}
