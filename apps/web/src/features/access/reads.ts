import { defineRead } from '../../data/reads.ts'

export const members = defineRead({
  operation: 'listMembers',
  touchedBy: ({ entity }) => entity === 'member',
})

/** No feed tells of what somebody holds: it is read when it is asked for. */
export const memberAccess = defineRead({
  operation: 'getMemberAccess',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'member' && entityId === id,
})

export const invitations = defineRead({
  operation: 'listInvitations',
  touchedBy: ({ entity }) => entity === 'invitation',
})

// of tokens and sign-ins the feed tells nothing: `useFresh` reads them again

export const userTokens = defineRead({ operation: 'listUserTokens', touchedBy: () => false })

export const workspaceTokens = defineRead({
  operation: 'listWorkspaceTokens',
  touchedBy: () => false,
})

export const applications = defineRead({
  operation: 'listConnectedApplications',
  touchedBy: () => false,
})

export const signIns = defineRead({ operation: 'listSignIns', touchedBy: () => false })

export const workspace = defineRead({
  operation: 'getWorkspace',
  touchedBy: ({ entity }) => entity === 'workspace',
})

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})
