import { AgentReport, DeliveryReport } from '@svc/contracts/delivery'
import { verifies } from '@svc/testing/verifies'
import { describe, expect, test } from 'vitest'
import { composeReport } from './compose-report.ts'

const rich = {
  humanActions: [
    { action: 'Rotate the key', reason: 'It was logged', blocking: true },
    { action: 'Read it' },
  ],
  tradeoffsMade: [{ decision: 'No cache', rationale: 'Small data', impact: 'Slower' }],
  risks: [{ text: 'Races', evidence: 'test a' }],
  deferredWork: [{ text: 'Docs' }],
  assumptions: [{ text: 'UTC' }],
}

describe('a report', () => {
  test(verifies('delivery.report-normalized', 'has one form, sparse or rich'), () => {
    for (const sent of [{}, { risks: [] }, rich]) {
      const report = composeReport('Done.', AgentReport.parse(sent))
      expect(DeliveryReport.parse(report)).toEqual(report)
      expect(Object.keys(report.agentReport)).toEqual([
        'humanActions',
        'tradeoffsMade',
        'risks',
        'deferredWork',
        'assumptions',
      ])
    }
  })

  test('keeps all that the agent said', () => {
    expect(composeReport('Done.', rich).agentReport).toEqual(rich)
  })

  test('presents the summary alone where nothing else was said', () => {
    expect(composeReport(' Done. \n', AgentReport.parse({})).presentation).toEqual({
      status: 'deterministic',
      markdown: 'Done.',
    })
  })

  test('presents each part under its own heading, the same each time', () => {
    const { markdown } = composeReport('Done.', rich).presentation
    expect(markdown).toBe(
      [
        'Done.\n',
        '## What people have to do\n\n- **Blocking:** Rotate the key — It was logged\n- Read it\n',
        '## Trade-offs made\n\n- No cache — Small data — Slower\n',
        '## Risks\n\n- Races — test a\n',
        '## Left for later\n\n- Docs\n',
        '## Assumed\n\n- UTC',
      ].join('\n'),
    )
    expect(composeReport('Done.', rich).presentation.markdown).toBe(markdown)
  })

  test('keeps a text of several lines inside its item', () => {
    const { markdown } = composeReport('Done.', { ...rich, risks: [{ text: 'a\nb' }] }).presentation
    expect(markdown).toContain('- a\n  b')
  })
})
