import { defineRead } from '../../data/reads.ts'

/** What each runner reports. */
export const agents = defineRead({
  operation: 'listAgents',
  touchedBy: ({ entity }) => entity === 'runner',
})

/** What a launch would be, kept true while somebody chooses. */
export const forecast = defineRead({
  operation: 'forecastLaunch',
  touchedBy: ({ entity }) => ['runner', 'mission', 'objective'].includes(entity),
})

export const resources = defineRead({
  operation: 'listProjectResources',
  touchedBy: ({ entity, projectId }, { id }) => entity === 'project' && projectId === id,
})
