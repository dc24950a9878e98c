import { ErrorBody } from '../errors.ts'
import { idempotencyKeyPattern } from '../idempotency-key.ts'
import { toolContract, toolEndpoint, toolNames } from '../mcp/tools.ts'
import { protocolEndpoint, protocolOperations } from '../protocol.ts'
import { restContracts } from '../rest.ts'
import type { EndpointContract } from '../rest/endpoint.ts'
import { version } from '../version.ts'
import { otherOperations } from './other-operations.ts'
import { type JsonSchema, resourceSchemas } from './json-schema.ts'
import { type Operation, jsonContent, operationOf } from './operation.ts'

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  security: readonly Record<string, string[]>[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, object>> & { schemas: Record<string, JsonSchema> }
}

/** Everything that the API answers, in OpenAPI, from the contracts that it answers by. */
export function openApiDocument(): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const [method, path, operation] of allOperations()) {
    paths[path] = { ...paths[path], [method]: operation }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'svc', version, description: about },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: resourceSchemas(),
      responses: {
        Refusal: { description: 'Refused: `error` says why.', content: jsonContent(ErrorBody) },
      },
      parameters: { IdempotencyKey: idempotencyKey },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

const about =
  'svc plans missions and has coding agents work on them. A refusal is `{ "error": { code, message, details?, next?, requestId } }`; `next` is the operation that helps. Lists are paged: `nextCursor` of an answer is `cursor` of the next call. A call that got no answer is safe to repeat under the same `Idempotency-Key`; where none is named, as it is.'

const idempotencyKey = {
  in: 'header',
  name: 'Idempotency-Key',
  description: 'Chosen by the caller: the same call under the same key is done once.',
  schema: { type: 'string', pattern: idempotencyKeyPattern },
}

type Entry = readonly [method: string, path: string, operation: Operation]

function allOperations(): Entry[] {
  const rest: [string, EndpointContract][] = Object.entries(restContracts)
  return [
    ...rest.map(([name, contract]) =>
      entry(contract, { operationId: name, summary: inWords(name), tag: tagOf(contract.path) }),
    ),
    ...protocolOperations.map((name) =>
      entry(protocolEndpoint(name), {
        operationId: `protocol_${name.replaceAll('-', '_')}`,
        summary: inWords(name),
        tag: 'agent protocol',
      }),
    ),
    ...toolNames.map((name) => entry(toolEndpoint(name), { ...namingOfTool(name), tag: 'tools' })),
    ...Object.entries(otherOperations).map(([path, operation]): Entry => [
      'get',
      templateOf(path),
      operation,
    ]),
  ]
}

function namingOfTool(name: (typeof toolNames)[number]) {
  const { title, description } = toolContract(name)
  return { operationId: name, summary: title, description }
}

function entry(contract: EndpointContract, naming: Parameters<typeof operationOf>[1]): Entry {
  return [contract.method.toLowerCase(), templateOf(contract.path), operationOf(contract, naming)]
}

function templateOf(path: string): string {
  return path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
}

/** `missions` of `/api/missions/:id/events`. */
function tagOf(path: string): string {
  return (path.split('/')[2] ?? '').replaceAll('-', ' ')
}

/** `Launch objective` of `launchObjective`. */
function inWords(name: string): string {
  const words = name
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
