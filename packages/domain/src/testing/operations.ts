import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import { feedParts, feedPaths } from '@svc/contracts/feed'
import { type ToolName, toolContract, toolEndpoint, toolNames } from '@svc/contracts/mcp/tools'
import type { Permission } from '@svc/contracts/permissions'
import {
  type ProtocolOperation,
  protocolContract,
  protocolEndpoint,
  protocolOperations,
} from '@svc/contracts/protocol'
import { type RouteName, restContracts } from '@svc/contracts/rest'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import type { Caller } from './caller.ts'

/** What a caller can ask of the service, over whatever surface. */
export interface Operation {
  name: string
  surface: 'REST' | 'feed' | 'protocol' | 'tool'
  /** How it is called over HTTP; a tool also at the endpoint for cloud agents. */
  endpoint: EndpointContract
  permission: Permission | 'any'
  /** Nothing but a token of full scope is good for it. */
  fullScope: boolean
  /** What its input holds, and of each whether it may be left out. */
  fields: ReadonlyMap<string, { optional: boolean }>
  /** What its `id` is the id of, as `levelOf` names it. */
  idOf: string | undefined
  call(caller: Caller, input: object): Promise<unknown>
}

export interface Outcome {
  answer?: unknown
  refusal?: Pick<ServiceError, 'code' | 'message' | 'details' | 'next'>
}

/** What a call came to. What is no refusal of the service's fails the test. */
export async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  return call.then(
    (answer) => ({ answer }),
    (error: unknown) => {
      if (!isServiceError(error)) throw error
      const { code, message, details, next } = error
      return { refusal: { code, message, details, next } }
    },
  )
}

// the keys of an object literal are its key type
const routeNames = Object.keys(restContracts) as RouteName[]

/** What a browser asks outside of any workspace, and no token is good for. */
export const personEndpoints: readonly EndpointContract[] = routeNames
  .map((name): EndpointContract => restContracts[name])
  .filter(({ permission }) => permission === 'person')

/** What whoever calls may ask. */
export const publicEndpoints: readonly EndpointContract[] = routeNames
  .map((name): EndpointContract => restContracts[name])
  .filter(({ permission }) => permission === 'public')

/** After it, whoever asked is nobody: in a row of calls it comes last. */
const endsItsCaller = 'DELETE /api/user-tokens/current'

export function endingLast(all: readonly Operation[]): Operation[] {
  const isLast = ({ name }: Operation) => name === endsItsCaller
  return [...all.filter((one) => !isLast(one)), ...all.filter(isLast)]
}

/** Everything else that the registries hold: an endpoint, an operation or a tool is in it by being there. */
export const operations: readonly Operation[] = endingLast([
  ...routeNames.flatMap(ofRoute),
  ...Object.values(feedPaths).map(ofFeed),
  ...protocolOperations.map(ofProtocol),
  ...toolNames.map(ofTool),
])

/** The endpoints of a person in the shape of the others; a browser asks them over HTTP, and no caller of the tests. */
export const personOperations: readonly Operation[] = personEndpoints.map(askedOverHttp)

/** The same of those that anybody may ask. */
export const publicOperations: readonly Operation[] = publicEndpoints.map(askedOverHttp)

function askedOverHttp(contract: EndpointContract): Operation {
  return {
    ...ofEndpoint({ ...contract, permission: 'any' }),
    surface: 'REST',
    // what it names is the person's alone
    idOf: undefined,
    call: () => Promise.reject(new Error(`${contract.path} is asked over HTTP alone`)),
  }
}

function ofRoute(name: RouteName): Operation[] {
  const contract: EndpointContract = restContracts[name]
  const { permission } = contract
  if (permission === 'person' || permission === 'public') return []
  return [
    {
      ...ofEndpoint({ ...contract, permission }),
      surface: 'REST',
      // `input` was made of this contract's fields
      call: (caller, input) => caller.call(name, input as never),
    },
  ]
}

function ofFeed(path: (typeof feedPaths)[keyof typeof feedPaths]): Operation {
  const { params, ...parts } = feedParts
  return {
    ...ofEndpoint({
      method: 'GET',
      path,
      permission: 'mission:read',
      ...parts,
      ...(path === feedPaths.mission && { params }),
      answer: 'bytes',
      status: 200,
    }),
    surface: 'feed',
    call: (caller, input) => caller.follow(input),
  }
}

function ofEndpoint(
  contract: EndpointContract & Pick<Operation, 'permission'>,
): Omit<Operation, 'surface' | 'call'> {
  const { params, query, headers, body } = contract
  const parts = [params, query, headers, ...(isObject(body) ? [body] : [])]
  const fields = new Map(parts.flatMap((part) => [...fieldsOf(part)]))
  if (body === 'bytes') fields.set('bytes', { optional: false })
  return {
    name: `${contract.method} ${contract.path}`,
    endpoint: contract,
    permission: contract.permission,
    fullScope: contract.fullScope ?? false,
    fields,
    idOf: /((?:workspace\/)?[a-z-]+)\/:id\b/.exec(contract.path)?.[1],
  }
}

function ofProtocol(name: ProtocolOperation): Operation {
  const { permission, input } = protocolContract(name)
  const fields = fieldsOf(input)
  // as above
  const call: Operation['call'] = (caller, given) => caller.protocol(name, given as never)
  return {
    name: `protocol ${name}`,
    surface: 'protocol',
    endpoint: protocolEndpoint(name),
    permission,
    fullScope: false,
    fields,
    idOf: undefined,
    call,
  }
}

function ofTool(name: ToolName): Operation {
  const { permission, input, fullScope = false } = toolContract(name)
  const fields = fieldsOf(input)
  // as above
  const call: Operation['call'] = (caller, given) => caller.tool(name, given as never)
  return {
    name,
    surface: 'tool',
    endpoint: toolEndpoint(name),
    permission,
    fullScope,
    fields,
    idOf: undefined,
    call,
  }
}

interface Shaped {
  shape: Record<string, { safeParse(value: unknown): { success: boolean } }>
}

function isObject(body: unknown): body is Shaped {
  return typeof body === 'object' && body !== null && 'shape' in body
}

function fieldsOf(schema: Shaped | undefined): Map<string, { optional: boolean }> {
  return new Map(
    Object.entries(schema?.shape ?? {}).map(([name, field]) => {
      return [name, { optional: field.safeParse(undefined).success }]
    }),
  )
}
