import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type RunFacts,
  readRunFacts as readFacts,
  runFactsPath,
  writeRunFacts,
} from '@svc/runner/files/run-facts'

/** Empty for an agent that no runner started: nothing is remembered then. */
export function readRunFacts(env: NodeJS.ProcessEnv): RunFacts {
  const path = pathIn(env)
  return path === undefined
    ? {}
    : readFacts(path, Number(env['SVC_EXECUTION_GENERATION']) || undefined)
}

/** Adds to what is there. */
export function rememberRunFacts(env: NodeJS.ProcessEnv, facts: Partial<RunFacts>): void {
  const path = pathIn(env)
  if (path === undefined) return
  const generation = Number(env['SVC_EXECUTION_GENERATION']) || undefined
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeRunFacts(path, { ...(generation && { generation }), ...readRunFacts(env), ...facts })
}

function pathIn(env: NodeJS.ProcessEnv): string | undefined {
  const folder = env['SVC_TMPDIR']
  const request = env['SVC_EXECUTION_REQUEST_ID']
  if (!folder || !request || !/^[0-9A-Za-z-]+$/.test(request)) return undefined
  return runFactsPath(folder, request)
}

/** A variable that is set to nothing is as good as none. */
export function orNothing(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
