import type { ToolOutput } from '../tools.ts'
import type { Widget } from '../widget.ts'

export const objectiveViewer: Widget<ToolOutput<'svc_load_mission_context'>> = {
  title: 'Mission',
  description: 'A mission with its objectives, open questions and artifacts.',
  empty: 'There is nothing in this mission yet.',
  view(context, { draw, tag, list, day }) {
    const { mission, currentObjective, questions, artifacts } = context
    const objectives = [
      ...context.previousObjectives,
      ...(currentObjective ? [currentObjective] : []),
      ...context.futureObjectives,
    ]
    const open = questions.filter(({ answer }) => answer === null)
    return [
      draw('p', draw('code', mission.displayId), tag(mission.status.label)),
      draw('h1', mission.title),
      ...open.map(({ question }) => draw('p.alert', tag('question'), question)),
      ...list(objectives, ({ id, displayId, title, state, instruction }) =>
        draw(
          id === currentObjective?.id ? 'li.current' : 'li',
          draw('code', displayId),
          draw('b', title),
          tag(state.replaceAll('_', ' ')),
          instruction !== title &&
            draw('details', draw('summary', 'Instruction'), draw('p.text', instruction)),
        ),
      ),
      artifacts.length > 0 && draw('h2', 'Artifacts'),
      ...list(artifacts, ({ label, type, updatedAt }) =>
        draw('li', draw('b', label), tag(type.replaceAll('_', ' ')), day(updatedAt)),
      ),
      context.truncated && draw('p.note', 'Shortened: the mission holds more.'),
    ]
  },
}
