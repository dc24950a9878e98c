import { defineRead } from '../../data/reads.ts'

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})
