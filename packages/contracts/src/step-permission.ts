import type { NextStep, StepName } from './next-step.ts'
import type { OnMachine } from './step-row.ts'
import { steps } from './steps.ts'
import type { Permission } from './permissions.ts'
import { protocolContracts } from './protocol.ts'
import { restContracts } from './rest.ts'
import type { EndpointContract } from './rest/endpoint.ts'

type Right = EndpointContract['permission']
type Rights<Name extends StepName> = { readonly [N in Name]: { readonly permission: Right } }

/** The steps that people take on machines, by their rows; every other one is a call, or this does not compile. */
type OnMachines = {
  [N in StepName]: (typeof steps)[N]['tool'] extends OnMachine ? N : never
}[StepName]

const calls: Rights<Exclude<StepName, OnMachines>> = { ...protocolContracts, ...restContracts }

function rightOf(name: StepName): Right {
  const { tool } = steps[name]
  if (typeof tool === 'object' && tool !== null) return tool.onMachine
  // a step that is taken on no machine is a call
  return calls[name as Exclude<StepName, OnMachines>].permission
}

/** The right that the step takes; undefined where everybody has it who can be offered it. */
export function stepPermission({ operation }: NextStep): Permission | undefined {
  const right = rightOf(operation)
  return right === 'any' || right === 'person' || right === 'public' ? undefined : right
}
