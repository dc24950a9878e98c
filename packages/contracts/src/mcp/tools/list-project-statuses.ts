import { z } from 'zod'
import { ProjectRef } from '../../ids.ts'
import { ProjectStatus } from '../../project.ts'
import { StatusType } from '../../states.ts'
import { type ToolContract, reads } from '../tool-contract.ts'
import { ProjectName, truncated } from '../tool-fields.ts'

export const listProjectStatuses = {
  name: 'svc_list_project_statuses',
  title: 'List board columns',
  description: `Lists one project's board columns in order. Labels are the project's own; the type (${StatusType.options.join(', ')}) means the same everywhere. Moves nothing. Next: svc_search_missions with statusTypes.`,
  input: z.strictObject({ projectId: ProjectRef }),
  output: z.strictObject({ project: ProjectName, statuses: z.array(ProjectStatus), ...truncated }),
  hints: reads,
  permission: 'project:read',
} as const satisfies ToolContract
