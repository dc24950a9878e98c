import {
  type RunFacts,
  readRunFacts as readFacts,
  runFactsPaths,
  writeRunFacts,
} from '@svc/runner/files/run-facts'

/** Empty for an agent that no runner started: nothing is remembered then. */
export function readRunFacts(env: NodeJS.ProcessEnv): RunFacts {
  return readFacts(pathsIn(env), Number(env['SVC_EXECUTION_GENERATION']) || undefined)
}

/** Merges these facts into those that are stored. */
export function rememberRunFacts(env: NodeJS.ProcessEnv, facts: Partial<RunFacts>): void {
  const generation = Number(env['SVC_EXECUTION_GENERATION']) || undefined
  const all = { ...(generation && { generation }), ...readRunFacts(env), ...facts }
  writeRunFacts(pathsIn(env), all)
}

function pathsIn(env: NodeJS.ProcessEnv): string[] {
  const tmpDirectory = env['SVC_TMPDIR']
  const requestId = env['SVC_EXECUTION_REQUEST_ID']
  if (!tmpDirectory || !requestId || !/^[0-9A-Za-z-]+$/.test(requestId)) return []
  return runFactsPaths({ requestId, tmpDirectory, workingDirectory: env['SVC_WORKING_DIRECTORY'] })
}

/** A variable that is set to nothing is as good as none. */
export function orNothing(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
