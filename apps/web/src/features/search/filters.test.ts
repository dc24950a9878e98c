import { describe, expect, test } from 'vitest'
import { readFilters, requestOf, searchOf } from './filters.ts'

const none = { text: '', project: '', phase: '', priority: '' } as const

describe('what is searched for', () => {
  test('stands in the address, and what nobody knows is no filter', () => {
    const all = { text: 'dark mode', project: 'web', phase: 'review', priority: 'high' } as const
    expect(readFilters(new URLSearchParams(searchOf(all)).toString())).toEqual(all)
    expect(searchOf({ ...none, text: ' dark ' })).toEqual({ q: 'dark' })
    expect(readFilters('phase=soon&priority=0')).toEqual(none)
  })

  test('is asked for with where the words stand', () => {
    expect(requestOf(none)).toEqual({ limit: 30 })
    expect(
      requestOf({ text: ' dark mode ', project: 'web', phase: 'review', priority: 'high' }),
    ).toEqual({
      limit: 30,
      query: 'dark mode',
      matches: 'true',
      projectId: 'web',
      statusTypes: 'review',
      priority: 'high',
    })
  })
})
