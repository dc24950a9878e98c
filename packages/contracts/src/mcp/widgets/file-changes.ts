import type { ToolOutput } from '../tools.ts'
import type { Widget } from '../widget.ts'

export const fileChanges: Widget<ToolOutput<'svc_list_deliveries'>> = {
  title: 'Deliveries',
  description: 'What was delivered: summaries, and the files that changed with the reasons.',
  empty: 'Nothing was delivered yet.',
  view({ deliveries, nextCursor }, { draw, tag, list, day }) {
    type Change = (typeof deliveries)[number]['fileChanges'][number]
    const fileRow = ({ filePath, vcsStatus, rationale, additions, deletions }: Change) =>
      draw(
        'li',
        draw('code', filePath),
        vcsStatus !== null && tag(vcsStatus),
        additions ? draw('span.plus', `+${additions}`) : null,
        deletions ? draw('span.minus', `−${deletions}`) : null,
        rationale !== null &&
          draw(
            'details',
            draw('summary', rationale.label),
            draw('p', rationale.summary),
            draw('p', draw('b', 'Why: '), rationale.why),
            draw('p', draw('b', 'Impact: '), rationale.impact),
          ),
      )
    if (deliveries.length === 0) return []
    return [
      draw('h1', 'Deliveries'),
      ...deliveries
        .slice(0, 50)
        .flatMap((delivery) => [
          draw(
            'p',
            draw('code', delivery.objective?.displayId),
            draw('b', delivery.objective?.title),
            day(delivery.createdAt),
          ),
          draw('p.text', delivery.summary),
          ...delivery.report.agentReport.humanActions.map(({ action }) =>
            draw('p.alert', tag('to do'), action),
          ),
          draw('p', ...delivery.artifacts.slice(0, 50).map(({ label }) => tag(label))),
          ...list(delivery.fileChanges, fileRow),
        ]),
      typeof nextCursor === 'string' && draw('p.note', 'More are on the next page.'),
    ]
  },
}
