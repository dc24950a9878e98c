import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/** What is remembered between the calls of one run. The supervisor writes the first three before it starts the agent. */
export const RunFacts = z.looseObject({
  requestId: z.string().optional(),
  generation: z.number().optional(),
  baseSha: z.string().nullable().optional(),
  sessionKey: z.string().optional(),
  objectiveId: z.string().optional(),
  /** Number of the next ledger batch. */
  ledgerSeq: z.number().optional(),
  /** Digest of the changes that the service has last heard of. */
  ledgerDigest: z.string().optional(),
})
export type RunFacts = z.infer<typeof RunFacts>

/** Undefined for an agent that no runner started: nothing is remembered then. */
export function runFilePath(env: NodeJS.ProcessEnv): string | undefined {
  const folder = env['SVC_TMPDIR']
  const request = env['SVC_EXECUTION_REQUEST_ID']
  if (!folder || !request || !/^[0-9A-Za-z-]+$/.test(request)) return undefined
  return join(folder, `run-${request}.json`)
}

/** Empty when there is none, when it cannot be read, or when it is of another generation of this request. */
export function readRunFacts(env: NodeJS.ProcessEnv): RunFacts {
  const facts = readFile(runFilePath(env))
  const generation = env['SVC_EXECUTION_GENERATION']
  const isOther =
    generation && facts.generation !== undefined && String(facts.generation) !== generation
  return isOther ? {} : facts
}

/** Adds to what is there, in one step, readable by its owner only. */
export function rememberRunFacts(env: NodeJS.ProcessEnv, facts: Partial<RunFacts>): void {
  const path = runFilePath(env)
  if (path === undefined) return
  const next = `${path}.${randomUUID()}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(next, JSON.stringify({ ...readRunFacts(env), ...facts }), {
    mode: 0o600,
    flag: 'wx',
  })
  renameSync(next, path)
}

function readFile(path: string | undefined): RunFacts {
  if (path === undefined) return {}
  try {
    return RunFacts.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}

/** A variable that is set to nothing is as good as none. */
export function orNothing(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
