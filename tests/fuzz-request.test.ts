import type { Furnished } from '@svc/domain/testing/furnished'
import { operations } from '@svc/domain/testing/operations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Means, requestOf } from './fuzz/request.ts'
import type { RequestTemplate } from './fuzz/request-templates.ts'
import { nearly } from './fuzz/values.ts'

// a request takes nothing but names from what exists
const furnished = { names: { missionId: 'm1' }, lease: { leaseToken: 'l1' } } as Furnished
const means: Means = { token: 't', furnished }

function shotWith(params: RequestTemplate['params']): RequestTemplate {
  const operation = operations.find(({ name }) => name === 'GET /api/missions/:id')
  if (!operation) throw new Error('a mission can be read')
  return { operation, via: 'api', params, query: {}, headers: {}, body: {}, mutation: {} }
}

const pathWith = (id: unknown) => requestOf(shotWith({ id }), means).path

test('what is there is sent by its name', () => {
  expect(pathWith({ $names: 'missionId' })).toBe('/api/missions/m1')
  expect(pathWith({ $names: 'leaseToken' })).toBe('/api/missions/l1')
})

test.each([null, 1, 'toString', { toString: 1, valueOf: 1 }, Object.create(null)])(
  'a name that was mutated to %j is sent as it is',
  ($names: unknown) => {
    expect(pathWith({ $names })).toBe(
      `/api/missions/${encodeURIComponent(JSON.stringify({ $names }))}`,
    )
  },
)

test('a text is cut within a character, too', () => {
  expect(pathWith(`${'x'.repeat(2999)}𝛑`)).toBe(`/api/missions/${'x'.repeat(2999)}%EF%BF%BD`)
})

test('a mutated request can be written, and is drawn again as it was', () => {
  const draw = () => fc.sample(nearly(fc.constant({ a: { b: [1] } })), { seed: 1, numRuns: 1000 })
  const drawn = JSON.stringify(draw())
  expect(JSON.stringify(draw()) === drawn).toBe(true)
})
