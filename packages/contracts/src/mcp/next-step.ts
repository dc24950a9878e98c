import { type NextStep, type StepName, commandOf, purposeOf } from '../next-step.ts'
import type { OnMachine } from '../step-row.ts'
import { steps } from '../steps.ts'
import type { ToolName } from './tools.ts'

type Snake<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : ''

/** The tool of the step's own name where there is one. */
type ToolOf<Name extends StepName> =
  Extract<ToolName, `svc_${Snake<Name>}`> extends infer Own
    ? [Own] extends [never]
      ? ToolName | null
      : Own
    : never

/** A row that names another tool than that of its own name does not compile. */
const rows: { readonly [Name in StepName]: { readonly tool: ToolOf<Name> | OnMachine } } = steps

/** The step in the words of who has tools; where none takes it, the command of a person who does. */
export function toolStep(next: NextStep): string {
  const { operation } = next
  const { tool } = rows[operation]
  const purpose = purposeOf(next)
  if (typeof tool !== 'string') return `${purpose} (a person does): ${commandOf(next)}`
  return [`${purpose}: ${tool}`, confirmed(next)].filter(Boolean).join(' ')
}

/** The arguments of a call that takes away exactly what was shown. */
function confirmed({ operation, params }: NextStep): string | undefined {
  if (operation !== 'deleteMissions' && operation !== 'deleteObjectives') return undefined
  const { running, ...named } = params
  const ids = Object.entries(named).map(([name, refs]) => [name, refs.split(' ')])
  const runs = running === undefined ? {} : { running: running.split(' ') }
  return JSON.stringify({ ...Object.fromEntries(ids), confirm: true, ...runs })
}
