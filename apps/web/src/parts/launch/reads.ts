import { defineRead } from '../../data/reads.ts'

/** What each runner reports. */
export const agents = defineRead({
  operation: 'listAgents',
  touchedBy: ({ entity }) => entity === 'runner',
})

/** What a launch would be, kept true while somebody chooses. */
export const forecast = defineRead({
  operation: 'forecastLaunch',
  // the launch settings are of the project
  touchedBy: ({ entity }) => ['runner', 'mission', 'objective', 'project'].includes(entity),
})

export const resources = defineRead({
  operation: 'listProjectResources',
  touchedBy: ({ entity, projectId }, { id }) => entity === 'project' && projectId === id,
})
