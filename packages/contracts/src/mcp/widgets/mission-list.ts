import type { ToolOutput } from '../tools.ts'
import type { Widget } from '../widget.ts'

export const missionList: Widget<ToolOutput<'svc_search_missions'>> = {
  title: 'Missions',
  description: 'The missions that a search has found, with what each is in.',
  empty: 'No mission fits.',
  view({ missions, nextCursor }, { draw, tag, list, day }) {
    if (missions.length === 0) return []
    return [
      draw('h1', 'Missions'),
      ...list(missions, (mission) =>
        draw(
          'li',
          draw('code', mission.displayId),
          draw('b', mission.title),
          mission.hasOpenQuestion && tag('question'),
          mission.priority !== 'normal' && tag(mission.priority),
          tag(mission.status.label),
          day(mission.updatedAt),
        ),
      ),
      typeof nextCursor === 'string' && draw('p.note', 'More are on the next page.'),
    ]
  },
}
