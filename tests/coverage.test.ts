import { describe, expect, test } from 'vitest'
import { citationFaults, citedIds, coverageTable, judge, parseRules } from './coverage.ts'
import type { Citation, Outcome } from './coverage.ts'

const rules = parseRules('id\tarea\tsurface\na.one\ta\tapi\na.two\ta\tapi\nb.one\tb\tcli\n')
const cites = (id: string, outcome: Outcome): Citation => ({ id, outcome, test: `about ${id}` })

test('parseRules finds the columns by their names, in whatever order', () => {
  expect(parseRules('rule\tother\tid\tsection\tarea\nIt is so.\tx\ta.one\tEvents\ta\n')).toEqual([
    { id: 'a.one', area: 'a', section: 'Events', rule: 'It is so.' },
  ])
})

describe('citedIds', () => {
  test('reads every id at the end of a title', () => {
    expect(citedIds('a list [1, 2] is kept [a.one] [env.SVC_X]')).toEqual(['a.one', 'env.SVC_X'])
  })

  test('leaves brackets inside a title alone', () => {
    expect(citedIds('xs [0] is the first')).toEqual([])
  })
})

describe('judge', () => {
  test('a rule is covered by one test that passed, whatever was skipped', () => {
    const coverage = judge(rules, [cites('a.one', 'passed'), cites('a.one', 'skipped')])
    expect([...coverage.covered]).toEqual(['a.one'])
    expect(citationFaults(coverage)).toEqual([])
  })

  test('one failed test takes the rule out of the covered ones', () => {
    const coverage = judge(rules, [cites('a.one', 'passed'), cites('a.one', 'failed')])
    expect([...coverage.covered]).toEqual([])
    expect(citationFaults(coverage)).toEqual([
      'the rule a.one is not proven: "about a.one" was failed',
    ])
  })

  test('a rule that only a skipped test cites is a fault', () => {
    expect(citationFaults(judge(rules, [cites('b.one', 'skipped')]))).toHaveLength(1)
  })

  test('an id without a rule is a fault and covers nothing', () => {
    const coverage = judge(rules, [cites('c.none', 'passed')])
    expect(coverage.covered.size).toBe(0)
    expect(citationFaults(coverage)).toEqual([
      'no rule has the id c.none; correct it in the test "about c.none"',
    ])
  })
})

test('the table counts covered and open rules of each area and of all', () => {
  expect(coverageTable(rules, new Set(['a.two'])).split('\n')).toEqual([
    'rules  covered     open    total',
    'a            1        1        2',
    'b            0        1        1',
    'total        1        2        3',
  ])
})
