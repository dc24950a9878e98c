import { defineRead } from '../../data/reads.ts'

export const missions = defineRead({
  operation: 'listMissions',
  touchedBy: ({ entity }) => entity === 'mission',
})

export const mission = defineRead({
  operation: 'getMission',
  touchedBy: ({ entity, entityId, missionId }, { id }) =>
    entityId === id || (entity === 'objective' && missionId === id),
})

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})

/** A repository is connected once a runner reports it. */
export const resources = defineRead({
  operation: 'listProjectResources',
  touchedBy: ({ entity, projectId }, { id }) =>
    entity === 'runner' || (entity === 'project' && projectId === id),
})
