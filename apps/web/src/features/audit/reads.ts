import { defineRead } from '../../data/reads.ts'

/** What is older than a page does not change. */
export const audit = defineRead({
  operation: 'listAudit',
  touchedBy: ({ entity, operation }, { action, cursor }) =>
    entity === 'audit_entry' &&
    cursor === undefined &&
    (action === undefined || action === operation),
})

export const members = defineRead({
  operation: 'listMembers',
  touchedBy: ({ entity }) => entity === 'member',
})

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})
