import { defineRead } from '../../data/reads.ts'

/** Runners that come and go change why none takes a run. */
export const runs = defineRead({
  operation: 'listExecutionRequests',
  touchedBy: ({ entity }) =>
    ['execution_request', 'agent_session', 'runner', 'objective'].includes(entity),
})

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})

export const runners = defineRead({
  operation: 'listRunners',
  touchedBy: ({ entity }) => entity === 'runner',
})
