import { z } from 'zod'
import { AgentKey, MissionDisplayId, ObjectiveDisplayId, ResourceKey, Slug, Uuid } from './ids.ts'
import { steps } from './steps.ts'

type Steps = typeof steps
export type StepName = keyof Steps

type OptionOf<Name extends StepName> = z.ZodObject<
  {
    operation: z.ZodLiteral<Name>
    params: z.ZodObject<Steps[Name]['params'], z.core.$strict>
  },
  z.core.$strict
>
type Option = { [Name in StepName]: OptionOf<Name> }[StepName]

function optionOf<Name extends StepName>(operation: Name): OptionOf<Name> {
  const params = z.strictObject(steps[operation].params)
  // the schema is made of the row's own parameters, which a type that is indexed by a name does not show
  return z.strictObject({ operation: z.literal(operation), params }) as unknown as OptionOf<Name>
}

// the keys of an object literal are those of its type, and it has some
const [first, ...others] = Object.keys(steps) as [StepName, ...StepName[]]

/**
 * What helps after a refusal, as data that every surface says in its own words: an operation of the service with what
 * is known of its input, or something that a person does on a machine.
 */
export const NextStep = z.discriminatedUnion('operation', [
  // each of them is one of the union, which a name of all of them does not show
  optionOf(first) as Option,
  ...others.map((name) => optionOf(name) as Option),
])

/** Those that a runner may name: people are shown them as commands, so nothing in them is free text. */
export const RunnerStep = z.discriminatedUnion('operation', [
  step('getExecutionRequest', { id: Uuid }),
  step('linkProjectResource', {}),
  step('connectResource', { resourceKey: ResourceKey }),
  step('retryAgent', { agent: AgentKey }),
  step('trustLaunchSettings', { project: Slug, ownHome: z.literal(true).optional() }),
  step('pushBranch', {
    id: z.union([MissionDisplayId, ObjectiveDisplayId]),
    resourceKey: ResourceKey,
  }),
])
export type RunnerStep = z.infer<typeof RunnerStep>

function step<const Name extends StepName, Params extends z.ZodRawShape>(
  operation: Name,
  params: Params,
) {
  return z.strictObject({ operation: z.literal(operation), params: z.strictObject(params) })
}

type StepParams = { [N in StepName]: z.infer<OptionOf<N>>['params'] }
export type NextStep<Name extends StepName = StepName> = {
  [N in Name]: { operation: N; params: StepParams[N] }
}[Name]

/** The command of a person that takes the step. */
export function commandOf<N extends StepName>({ operation, params }: NextStep<N>): string {
  const commands: { readonly [K in StepName]: Pick<Command<K>, 'command'> } = steps
  return commands[operation].command(params)
}

/** What the step is good for, said before whatever takes it. */
export function purposeOf<N extends StepName>({ operation, params }: NextStep<N>): string {
  const purposes: { readonly [K in StepName]: Pick<Command<K>, 'purpose'> } = steps
  const { purpose } = purposes[operation]
  return typeof purpose === 'string' ? purpose : purpose(params)
}

interface Command<N extends StepName> {
  readonly purpose: string | ((params: StepParams[N]) => string)
  readonly command: (params: StepParams[N]) => string
}
