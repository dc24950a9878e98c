import type { RouteOutput } from '@svc/contracts/rest'
import { defineRead } from '../../data/reads.ts'

export type Statuses = RouteOutput<'listProjectStatuses'>

export const statuses = defineRead({
  operation: 'listProjectStatuses',
  touchedBy: ({ entity, projectId }, { id }) => entity === 'project' && projectId === id,
})
