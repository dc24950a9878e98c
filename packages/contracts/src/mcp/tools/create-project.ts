import { z } from 'zod'
import { restContracts } from '../../rest.ts'
import { type ToolContract, adds } from '../tool-contract.ts'
import { ProjectName } from '../tool-fields.ts'

export const createProject = {
  name: 'svc_create_project',
  title: 'Create a project',
  description:
    'Creates a project with the usual board columns. Links no checkout: a person does that on a machine of theirs, and until then runs get an empty folder. Look with svc_resolve_project first; next: svc_create_mission.',
  input: restContracts.createProject.body.omit({ defaultBranch: true }),
  output: z.strictObject({ project: ProjectName }),
  hints: adds,
  permission: 'project:create',
} as const satisfies ToolContract
