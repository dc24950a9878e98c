import { expect, test } from 'vitest'
import { createStatementNames } from './statement-names.ts'

test('a text has a name from its second time on, and always the same one', () => {
  const { of: nameOf } = createStatementNames()
  const names = ['a', 'b', 'a', 'a', 'b', 'c'].map(nameOf)
  expect(names).toEqual([undefined, undefined, 'svc_1', 'svc_1', 'svc_2', undefined])
})

test('so many texts are named and no more, however many recur', () => {
  const { of: nameOf } = createStatementNames()
  const texts = Array.from({ length: 5_000 }, (_, index) => `select ${index}`)
  const named = texts.flatMap((text) => [nameOf(text), nameOf(text)]).filter(Boolean)
  expect(named).toHaveLength(500)
  expect(nameOf('select 0')).toBe('svc_1')
  expect(nameOf('select 4999')).toBeUndefined()
})

test('a text that is as long as a list of rows is never named', () => {
  const { of: nameOf } = createStatementNames()
  const list = `insert into t values ${'($1, $2), '.repeat(1_500)}`
  expect([list, list].map(nameOf)).toEqual([undefined, undefined])
})

test('once renewed, no text has a name that any had before', () => {
  const { of: nameOf, renew } = createStatementNames()
  const twice = (text: string) => [nameOf(text), nameOf(text)][1]
  const before = ['a', 'b'].map(twice)
  renew()
  const after = ['b', 'a', 'c'].map(twice)
  expect(new Set([...before, ...after]).size).toBe(5)
})
