import { z } from 'zod'
import { restContracts } from '../../rest.ts'
import { type ToolContract, reads } from '../tool-contract.ts'
import { ProjectName, truncated } from '../tool-fields.ts'

export const resolveProject = {
  name: 'svc_resolve_project',
  title: 'Find a project',
  description:
    'Finds a project by name, slug or id; without query lists what you may see. `project` is set when exactly one fits, `candidates` are the choices: ask the person when there are several. `agents` are those to launch with. Creates nothing. Next: svc_search_missions or svc_create_mission.',
  input: restContracts.resolveProject.query,
  output: z.strictObject({
    project: ProjectName.optional(),
    candidates: z.array(ProjectName),
    agents: z.array(z.string()).describe('keys of those that connected runners have'),
    ...truncated,
  }),
  hints: reads,
  widget: 'project-selector',
  permission: 'project:read',
} as const satisfies ToolContract
