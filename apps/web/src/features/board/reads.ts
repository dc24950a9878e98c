import type { FeedEntity } from '@svc/contracts/feed'
import { limits } from '../../data/contracts.values.ts'
import { defineRead } from '../../data/reads.ts'
import { patchBoard, patchFiltered } from './patch-board.ts'

const partsOfBoard: ReadonlySet<FeedEntity> = new Set([
  'project',
  'mission',
  'objective',
  'execution_request',
  'agent_session',
  'question',
  'runner',
])

/** All missions of a project, of each column the newest: of which project a change is, is known by the answer. */
export const wholeBoard = defineRead({
  operation: 'getBoard',
  touchedBy: ({ entity }) => partsOfBoard.has(entity),
  patch: patchBoard,
})

export const filteredBoard = defineRead({ ...wholeBoard, patch: patchFiltered })

/** Of a mission that is about to be launched: what is next up in it, and what ran last. */
export const launched = defineRead({
  operation: 'getMissionOverview',
  touchedBy: ({ entity, missionId }, { id }) => entity === 'objective' && missionId === id,
})

export const launchedRequest = (id: string) => ({
  id,
  instructionCharacters: limits.titleCharacters,
})

export const mission = defineRead({
  operation: 'getMission',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'mission' && entityId === id,
})
