import { AgentReport } from '@svc/contracts/delivery'
import { limits } from '@svc/contracts/limits'
import { SentReport } from '@svc/contracts/delivery'
import { describe, expect, test } from 'vitest'
import { collectWarnings } from '../../common/warnings.ts'
import { readReport } from './read-report.ts'

const nothing = AgentReport.parse({})

function read(given: unknown) {
  const warnings = collectWarnings()
  const report = readReport(SentReport.parse(given), warnings)
  expect(AgentReport.parse(report)).toEqual(report)
  return { report, warnings: warnings.list() }
}

describe('what an agent reports', () => {
  test('is kept as it is where it has the form', () => {
    const report = {
      humanActions: [{ action: 'Rotate the key', reason: 'It was logged', blocking: true }],
      tradeoffsMade: [{ decision: 'No cache', rationale: 'Small', impact: 'Slower' }],
      risks: [{ text: 'Races', evidence: 'the log' }],
      deferredWork: [{ text: 'Docs' }],
      assumptions: [],
    }
    expect(read(report)).toEqual({ report, warnings: [] })
    for (const none of [undefined, null, {}]) {
      expect(read(none)).toEqual({ report: nothing, warnings: [] })
    }
  })

  test('becomes an item where it is a text, or anything else that is none', () => {
    const given = { humanActions: ['Rotate the key', 3], risks: 'Races' }
    const { report, warnings } = read(given)
    expect(report).toEqual({
      ...nothing,
      humanActions: [{ action: 'Rotate the key' }, { action: '3' }],
      risks: [{ text: 'Races' }],
    })
    expect(warnings).toEqual([
      'report.humanActions[0] is read as its action: give an object of action, reason, blocking',
      'report.humanActions[1] is read as its action: give an object of action, reason, blocking',
      'report.risks is read as its one item: give a list',
      'report.risks[0] is read as its text: give an object of text, evidence',
    ])
  })

  test('loses the keys that nobody knows, and nothing else', () => {
    const { report, warnings } = read({
      risks: [{ text: 'Races', severity: 'high', ['k'.repeat(1000)]: 1 }],
      notes: 'x',
    })
    expect(report).toEqual({ ...nothing, risks: [{ text: 'Races' }] })
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('report: notes dropped, known are humanActions')
    expect(warnings[1]).toContain('report.risks[0]: severity, kkk')
    expect(warnings.every((one) => one.length <= limits.warningCharacters)).toBe(true)
  })

  test('is written out where an item does not say it in the field for it', () => {
    const { report, warnings } = read({
      humanActions: [{ title: 'Rotate the key' }, { action: ' ', reason: 'x' }, {}, null],
      risks: [{ text: 'Races', evidence: ['a', 'b'] }],
    })
    expect(report).toEqual({
      ...nothing,
      humanActions: [
        { action: '{"title":"Rotate the key"}' },
        { action: '{"action":" ","reason":"x"}' },
      ],
      risks: [{ text: 'Races', evidence: '["a","b"]' }],
    })
    expect(warnings).toHaveLength(5)
  })

  test('is cut where it is too long, and where it is too much', () => {
    const long = 'x'.repeat(limits.reportTextCharacters)
    const { report, warnings } = read({
      risks: [{ text: `${long}y` }, ...Array.from({ length: 100 }, () => ({ text: long }))],
    })
    expect(report.risks).toHaveLength(limits.reportItems)
    expect(report.risks[0]?.text).toBe(`${long.slice(1)}…`)
    expect(report.risks[1]?.text).toBe(long)
    expect(warnings).toEqual([
      'report.risks: 1 dropped, give at most 100',
      'report.risks[0].text is cut: give at most 4000 characters',
    ])
  })

  test('says of a blocking action yes or no', () => {
    const { report, warnings } = read({ humanActions: [{ action: 'Wait', blocking: 'yes' }] })
    expect(report.humanActions).toEqual([{ action: 'Wait' }])
    expect(warnings).toEqual(['report.humanActions[0].blocking dropped: give true or false'])
  })

  test.each(['Rotate the key', ['Rotate the key']])(
    'is for a person to read where it is no object at all: %j',
    (given) => {
      const { report, warnings } = read(given)
      expect(report).toEqual({ ...nothing, humanActions: [{ action: 'Rotate the key' }] })
      expect(warnings[0]).toContain('report is read as its humanActions')
    },
  )

  test('can be stored, whatever it holds', () => {
    const { report } = read({ risks: [{ text: 'a\0b\ud800', constructor: 1 }] })
    expect(report.risks).toEqual([{ text: 'a\uFFFDb\uFFFD' }])
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(read({ risks: deep }).report.risks).toHaveLength(1)
    expect(read(deep).report.humanActions).toHaveLength(1)
  })

  test('is warned of in few words, however much is wrong with it', () => {
    const { warnings } = read({ risks: Array.from({ length: 100_000 }, () => 'x') })
    expect(warnings).toHaveLength(limits.warnings)
  })
})
