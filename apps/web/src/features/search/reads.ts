import { defineRead } from '../../data/reads.ts'

/** A change of an objective may be one of its words. */
export const found = defineRead({
  operation: 'listMissions',
  touchedBy: ({ entity }) => entity === 'mission' || entity === 'objective',
})

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})
