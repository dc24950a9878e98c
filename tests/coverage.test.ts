import { describe, expect, test } from 'vitest'
import {
  citationFaults,
  citedIds,
  coverageTable,
  judge,
  openBySurface,
  parseRules,
} from './coverage.ts'
import type { Citation, Outcome } from './coverage.ts'

const rules = parseRules('id\tarea\tsurface\na.one\ta\tapi\na.two\ta\tapi,web\nb.one\tb\tcli\n')
const cites = (id: string, outcome: Outcome, inBrowser = false): Citation => {
  return { id, outcome, inBrowser, test: `about ${id}` }
}

test('parseRules finds the columns by their names, in whatever order', () => {
  const text = 'rule\tother\tid\tsection\tsurface\tarea\nIt is so.\tx\ta.one\tEvents\tapi,web\ta\n'
  expect(parseRules(text)).toEqual([
    { id: 'a.one', area: 'a', surfaces: ['api', 'web'], section: 'Events', rule: 'It is so.' },
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

  test('a rule of the web is open there until a test that drove a browser proves it', () => {
    const elsewhere = judge(rules, [cites('a.two', 'passed')])
    expect([...elsewhere.covered]).toEqual([])
    expect(elsewhere.open.get('web')).toEqual(['a.two'])
    expect(elsewhere.open.get('api')).toEqual(['a.one'])
    expect(citationFaults(elsewhere)).toEqual([])
    const shown = judge(rules, [cites('a.two', 'passed'), cites('a.two', 'passed', true)])
    expect([...shown.covered]).toEqual(['a.two'])
    const broken = judge(rules, [cites('a.two', 'failed', true), cites('a.two', 'passed', true)])
    expect([...broken.covered]).toEqual([])
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

test('the open rules are named by surface', () => {
  expect(openBySurface(judge(rules, [cites('b.one', 'passed')]).open).split('\n')).toEqual([
    'open for api: a.one, a.two',
    'open for web: a.two',
  ])
})
