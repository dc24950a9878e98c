import { describe, expect, test } from 'vitest'
import { NextStep } from './next-step.ts'
import { protocolContracts } from './protocol.ts'
import { restContracts } from './rest.ts'
import type { EndpointContract } from './rest/endpoint.ts'

const byPeople = ['connectResource', 'trustLaunchSettings', 'pushBranch']
const operations: Record<string, object | undefined> = {
  ...Object.fromEntries(Object.entries(restContracts).map(([name, of]) => [name, inputOf(of)])),
  ...Object.fromEntries(
    Object.entries(protocolContracts).map(([name, { input }]) => [name, input.shape]),
  ),
}

function inputOf({ params, query, body }: EndpointContract): object {
  const shape = typeof body === 'object' && 'shape' in body ? body.shape : {}
  return { ...params?.shape, ...query?.shape, ...(shape as object) }
}

const steps = NextStep.options
  .map(({ shape }) => [shape.operation.value, Object.keys(shape.params.shape)] as const)
  .filter(([operation]) => !byPeople.includes(operation))

describe('a next step', () => {
  test.each(steps)('%s is an operation of the service that takes %j', (operation, params) => {
    expect(Object.keys(operations[operation] ?? {})).toEqual(expect.arrayContaining(params))
    expect(operations).toHaveProperty([operation])
  })
})
