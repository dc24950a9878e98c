import { defineRead } from '../../data/reads.ts'

export const project = defineRead({
  operation: 'getProject',
  touchedBy: ({ entity }) => entity === 'project',
})

export const launchSettings = defineRead({
  operation: 'getLaunchSettings',
  touchedBy: ({ entity, projectId }, { id }) => entity === 'project' && projectId === id,
})

/** It changes nothing, and its settings are too long for an address. */
export const preview = defineRead({
  operation: 'previewLaunchSettings',
  touchedBy: ({ entity, projectId }, { id }) => entity === 'project' && projectId === id,
})

/** With the runners that have them. */
export const resources = defineRead({
  operation: 'listProjectResources',
  touchedBy: ({ entity, projectId }, { id }) =>
    entity === 'runner' || (entity === 'project' && projectId === id),
})
