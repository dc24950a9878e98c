import { describe, expect, test } from 'vitest'
import { NextStep } from './next-step.ts'
import { protocolContracts } from './protocol.ts'
import { restContracts } from './rest.ts'
import type { EndpointContract } from './rest/endpoint.ts'

const byPeople = [
  'connectResource',
  'trustLaunchSettings',
  'retryAgent',
  'pushBranch',
  'installVersion',
]
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

/** What people call that which the id names to the service. */
const words: Readonly<Record<string, readonly string[]>> = {
  startRunQueue: ['project', 'queue'],
  resumeRunQueue: ['project', 'queue'],
  retryRunQueueEntry: ['objective'],
  answerQuestion: ['objective'],
}

const steps = NextStep.options
  .map(({ shape }) => {
    const operation = shape.operation.value
    const params = Object.keys(shape.params.shape)
    return [operation, params.filter((name) => !words[operation]?.includes(name))] as const
  })
  .filter(([operation]) => !byPeople.includes(operation))

describe('a next step', () => {
  test.each(steps)('%s is an operation of the service that takes %j', (operation, params) => {
    expect(Object.keys(operations[operation] ?? {})).toEqual(expect.arrayContaining(params))
    expect(operations).toHaveProperty([operation])
  })
})
