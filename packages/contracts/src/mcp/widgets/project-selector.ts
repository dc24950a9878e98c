import type { ToolOutput } from '../tools.ts'
import type { Widget } from '../widget.ts'

export const projectSelector: Widget<ToolOutput<'svc_resolve_project'>> = {
  title: 'Projects',
  description: 'The project that was found, or those to choose from.',
  empty: 'No project fits.',
  view({ project, candidates, agents }, { draw, tag, list }) {
    if (!project && candidates.length === 0) return []
    return [
      draw('h1', project ? 'Project' : 'Which project?'),
      ...list(project ? [project] : candidates, ({ name, slug }) =>
        draw('li', draw('b', name), draw('code', slug)),
      ),
      agents.length > 0 && draw('p.note', 'Agents: ', ...agents.slice(0, 20).map(tag)),
    ]
  },
}
