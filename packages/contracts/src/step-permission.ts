import type { NextStep, StepName } from './next-step.ts'
import type { Permission } from './permissions.ts'
import { protocolContracts } from './protocol.ts'
import { restContracts } from './rest.ts'
import type { EndpointContract } from './rest/endpoint.ts'

/** What a person does on a machine takes the right of the call that is made there. */
const onMachines = {
  connectResource: 'project:update',
  trustLaunchSettings: 'execution_request:claim',
  pushBranch: 'mission:read',
} as const satisfies Partial<Record<StepName, Permission>>

const rights: Readonly<Record<StepName, EndpointContract['permission']>> = {
  ...permissionsOf(protocolContracts),
  ...permissionsOf(restContracts),
  ...onMachines,
}

/** The right that the step takes; undefined where everybody has it who can be told of it. */
export function stepPermission({ operation }: NextStep): Permission | undefined {
  const right = rights[operation]
  return right === 'any' || right === 'person' || right === 'public' ? undefined : right
}

function permissionsOf<Name extends string>(
  contracts: Readonly<Record<Name, { permission: EndpointContract['permission'] }>>,
): Record<Name, EndpointContract['permission']> {
  const entries = Object.entries<{ permission: EndpointContract['permission'] }>(contracts)
  // under the same keys
  return Object.fromEntries(entries.map(([name, { permission }]) => [name, permission])) as Record<
    Name,
    EndpointContract['permission']
  >
}
