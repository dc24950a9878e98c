import { defineRead } from '../../data/reads.ts'

/** What became of a question that a page does not hold any more. */
export const question = defineRead({
  operation: 'getQuestion',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'question' && entityId === id,
})
