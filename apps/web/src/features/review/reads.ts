import { objectivesTogether } from '../../data/objectives-together.ts'
import { defineRead } from '../../data/reads.ts'

/** The page knows its mission by the id that people say; what comes later says of which it is. */
export const missionRead = defineRead({
  operation: 'getMission',
  touchedBy: ({ entity }) => entity === 'mission' || entity === 'objective',
  patch: (answer, { missionId }) => (missionId === answer.mission.id ? undefined : answer),
})

export const objectiveRead = defineRead({
  operation: 'getObjective',
  touchedBy: ({ entityId }, { id }) => entityId === id,
  together: objectivesTogether,
})

export const deliveriesRead = defineRead({
  operation: 'listDeliveries',
  touchedBy: ({ entity, missionId }, { id }) =>
    missionId === id && (entity === 'delivery' || entity === 'artifact'),
})

export const fileChangesRead = defineRead({
  operation: 'listFileChanges',
  touchedBy: ({ entity, missionId }, { id }) =>
    missionId === id && (entity === 'delivery' || entity === 'execution_request'),
})

/** What a run left is there, or is replaced, when it ends. */
export const runFilesRead = defineRead({
  operation: 'listRunFiles',
  touchedBy: ({ entityId }, { id }) => entityId === id,
})

export const runFileRead = defineRead({
  operation: 'getRunFile',
  touchedBy: ({ entityId }, { id }) => entityId === id,
})

export const branchesRead = defineRead({
  operation: 'listBranches',
  touchedBy: ({ entity, missionId }, request) =>
    missionId === request.missionId && entity === 'execution_request',
})
