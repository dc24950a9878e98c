import { expect, test } from 'vitest'
import { isFiltered, readFilters, requestOf, searchOf } from './filters.ts'

test('filters stand in the address, and come back from it', () => {
  const filters = readFilters('q=dark+icons&phase=draft&priority=high&badge=waits')
  expect(searchOf(filters)).toEqual({
    q: 'dark icons',
    phase: 'draft',
    priority: 'high',
    badge: 'waits',
  })
  expect(requestOf('web', filters)).toEqual({
    id: 'web',
    query: 'dark icons',
    statusTypes: 'draft',
    priority: 'high',
    badge: 'waits',
  })
})

test('what no filter knows filters nothing', () => {
  const filters = readFilters('q=+&phase=later&priority=&badge=constructor')
  expect(requestOf('web', filters)).toEqual({ id: 'web' })
  expect(searchOf(filters)).toEqual({})
  expect(isFiltered(filters)).toBe(false)
  expect(isFiltered(readFilters('phase=draft'))).toBe(false)
  expect(isFiltered(readFilters('q=icons'))).toBe(true)
})

test('words beyond those that the service takes stay in the address, and are not asked for', () => {
  const filters = readFilters('q=a1+b2+c3+d4+e5+f6+g7+h8+i9')
  expect(searchOf(filters)).toEqual({ q: 'a1 b2 c3 d4 e5 f6 g7 h8 i9' })
  expect(requestOf('web', filters)).toEqual({ id: 'web', query: 'a1 b2 c3 d4 e5 f6 g7 h8' })
})
