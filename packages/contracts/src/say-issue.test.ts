import { expect, test } from 'vitest'
import { z } from 'zod'
import { Uuid } from './ids.ts'
import { sayIssue } from './say-issue.ts'

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'it is missing'],
  [z.string(), 7, 'give a text'],
  [z.coerce.number(), 'abc', 'give a number'],
  [z.int(), 1.5, 'give a whole number'],
  [z.strictObject({}), 'x', 'give an object'],
  [z.string().min(1), '', 'it is empty'],
  [z.string().min(8), 'x', 'give at least 8 characters'],
  [z.string().max(2), 'abc', 'give at most 2 characters'],
  [z.array(z.string()).min(1), [], 'give at least 1 entry'],
  [z.array(z.string()).max(0), ['a'], 'give at most 0 entries'],
  [z.number().min(1), 0, 'give at least 1'],
  [z.number().gt(0), 0, 'give a number above 0'],
  [z.number().max(200), 201, 'give at most 200'],
  [Uuid, 'x', 'give a UUID'],
  [z.iso.datetime(), 'x', 'give a time, as in 2026-01-02T03:04:05Z'],
  [z.enum(['low', 'high']), 'x', 'use one of low, high'],
  [z.string().regex(/^a/, 'begin with an a'), 'x', 'begin with an a'],
])('%j refuses %j in words', (schema, value, words) => {
  const { error } = schema.safeParse(value, { error: sayIssue })
  expect(error?.issues.map(({ message }) => message)).toEqual([words])
})
