import { AgentReport, type DeliveryReport } from '@svc/contracts/delivery'

/**
 * The one normalized form of a report, with its deterministic presentation. That one stands until another is composed,
 * where one `isComposing`.
 */
export function composeReport(
  summary: string,
  agentReport = AgentReport.parse({}),
  isComposing = false,
): DeliveryReport {
  const status = isComposing ? 'composing' : 'deterministic'
  return {
    schemaVersion: 1,
    agentReport,
    presentation: { status, markdown: present(summary, agentReport) },
  }
}

/** Same summary and report, same Markdown. */
function present(summary: string, report: AgentReport): string {
  const sections = [
    section(
      'What people have to do',
      report.humanActions.map((one) =>
        line(one.blocking ? `**Blocking:** ${one.action}` : one.action, one.reason),
      ),
    ),
    section(
      'Trade-offs made',
      report.tradeoffsMade.map((one) => line(one.decision, one.rationale, one.impact)),
    ),
    section(
      'Risks',
      report.risks.map((one) => line(one.text, one.evidence)),
    ),
    section(
      'Left for later',
      report.deferredWork.map((one) => line(one.text, one.evidence)),
    ),
    section(
      'Assumed',
      report.assumptions.map((one) => line(one.text, one.evidence)),
    ),
  ]
  return [summary.trim(), ...sections.filter(Boolean)].join('\n\n')
}

function section(title: string, lines: string[]): string {
  return lines.length === 0 ? '' : [`## ${title}`, '', ...lines].join('\n')
}

function line(text: string, ...more: (string | undefined)[]): string {
  return `- ${[text, ...more].filter(Boolean).join(' — ').replaceAll('\n', '\n  ')}`
}
