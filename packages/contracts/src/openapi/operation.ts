import { z } from 'zod'
import type { EndpointContract } from '../rest/endpoint.ts'
import { type JsonSchema, answerSchema, requestSchema } from './json-schema.ts'

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: readonly Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, object>
}

interface Parameter {
  in?: string
  name?: string
  $ref?: string
}

type Content = Record<string, { schema?: JsonSchema }>

/** What the table of endpoints does not say of one. */
export interface Naming {
  operationId: string
  summary: string
  description?: string
  tag: string
}

export const refusals = { default: { $ref: '#/components/responses/Refusal' } }

export function operationOf(contract: EndpointContract, naming: Naming): Operation {
  const { operationId, summary, description, tag } = naming
  const parameters = parametersOf(contract)
  return {
    operationId,
    summary,
    description: [description, needs(contract)].filter(Boolean).join('\n\n'),
    tags: [tag],
    ...(contract.permission === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(contract.body && { requestBody: requestBodyOf(contract.body) }),
    responses: { ...answersOf(contract), ...refusals },
  }
}

function needs({ permission, fullScope }: EndpointContract): string {
  if (permission === 'any') return `Needs any valid token${fullScope ? ' of full scope' : ''}.`
  if (permission === 'public') return 'Needs no token.'
  if (permission === 'person') return 'Needs a browser that is signed in.'
  return `Needs \`${permission}\`${fullScope ? ', by a token of full scope' : ''}.`
}

function parametersOf(contract: EndpointContract): Parameter[] {
  const isKeyed = contract.repeat === 'keyed'
  return [
    ...parametersIn('path', contract.params),
    ...parametersIn('query', contract.query),
    ...parametersIn('header', contract.headers),
    ...(isKeyed ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

export function parametersIn(location: string, schema: z.ZodObject | undefined): Parameter[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    // every field of an object is one of zod's own schemas
    const { description, ...shape } = requestSchema(field as z.ZodType)
    return {
      in: location,
      name,
      required: location === 'path' || !z.safeParse(field, undefined).success,
      ...(description !== undefined && { description }),
      schema: shape,
    }
  })
}

function requestBodyOf(body: NonNullable<EndpointContract['body']>) {
  if (body === 'bytes') return { required: true, content: bytes }
  return {
    required: !body.safeParse({}).success,
    content: { 'application/json': { schema: requestSchema(body) } },
  }
}

const bytes: Content = { 'application/octet-stream': {} }

function answersOf({ answer, status, reusedStatus }: EndpointContract): Record<string, object> {
  if (answer === 'none') return { [status]: { description: 'Done.' } }
  const content = answer === 'bytes' ? bytes : jsonContent(answer)
  return {
    [status]: { description: 'Done.', content },
    ...(reusedStatus !== undefined && {
      [reusedStatus]: { description: 'It was there already.', content },
    }),
  }
}

export function jsonContent(answer: z.ZodType): Content {
  return { 'application/json': { schema: answerSchema(answer) } }
}
