import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SessionKey } from './agent-session.ts'
import { toolEndpoint, toolNames } from './mcp/tools.ts'
import { protocolEndpoint, protocolOperations } from './protocol.ts'
import { restContracts } from './rest.ts'
import type { EndpointContract } from './rest/endpoint.ts'
import { LeaseToken } from './runner.ts'

const calls: [string, EndpointContract][] = [
  ...Object.entries(restContracts),
  ...protocolOperations.map((name) => [name, protocolEndpoint(name)] as [string, EndpointContract]),
  ...toolNames.map((name) => [name, toolEndpoint(name)] as [string, EndpointContract]),
]

describe('every call', () => {
  test.each(calls)('%s that carries a session or a lease counts by it', (_, contract) => {
    const keys: unknown[] = [SessionKey, LeaseToken]
    const carried = fieldsOf(contract).filter(({ schema }) => keys.includes(schema))
    const by: readonly string[] = contract.counts?.by ?? []
    expect(carried.map(({ path }) => path).filter((path) => !by.includes(path))).toEqual([])
  })

  test.each(calls)('%s counts by what its input has', (_, contract) => {
    const paths = fieldsOf(contract).map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining([...(contract.counts?.by ?? [])]))
  })

  test.each(calls.filter(([, { method }]) => method !== 'GET'))(
    '%s that writes says how it is repeated',
    (_, { repeat }) => expect(['keyed', 'natural']).toContain(repeat),
  )

  test.each(calls.filter(([, { repeat }]) => repeat === 'natural'))(
    '%s that is repeated as it is asks for no revision, which it would have raised itself',
    (_, contract) => {
      const paths = fieldsOf(contract).map(({ path }) => path)
      expect(paths.filter((path) => path.endsWith('expectedRevision'))).toEqual([])
    },
  )
})

interface Field {
  path: string
  schema: unknown
}

function fieldsOf({ params, query, headers, body }: EndpointContract): Field[] {
  return [params, query, headers, body].flatMap((part) => fieldsWithin(part, ''))
}

/** The first entry of a list stands for all of them. */
function fieldsWithin(schema: unknown, path: string): Field[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return fieldsWithin(schema.unwrap(), path)
  }
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  if (schema instanceof z.ZodArray) return fieldsWithin(schema.element, at('0'))
  if (!(schema instanceof z.ZodObject)) return [{ path, schema }]
  return Object.entries(schema.shape).flatMap(([name, inner]) => fieldsWithin(inner, at(name)))
}
