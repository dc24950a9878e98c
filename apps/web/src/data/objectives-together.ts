import { limits } from './contracts.values.ts'
import type { Together } from './read-together.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Objectives with the whole of their instructions. */
export const objectivesTogether: Together<'getObjective'> = {
  idOf: ({ id }) => (uuid.test(id) ? id : undefined),
  read: async (call, ids) => {
    const { objectives } = await call('listObjectives', {
      ids: ids.join(','),
      limit: limits.idsAtOnce,
      instructionCharacters: limits.instructionCharacters,
    })
    return new Map(objectives.map((objective) => [objective.id, { objective }]))
  },
}
