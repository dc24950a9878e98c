import { defineRead } from '../../data/reads.ts'

/** One that somebody is about to turn or edit: what others do with it meanwhile shows there. */
export const item = defineRead({
  operation: 'getInboxItem',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'inbox_item' && entityId === id,
})

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})
