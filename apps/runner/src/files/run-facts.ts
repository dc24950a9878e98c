import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@svc/contracts/limits'
import { z } from 'zod'
import { readUntrusted } from '@svc/process/untrusted-file'
import { writeDurably } from './durable-file.ts'

const mostBytes = 256 * 1024

/**
 * What supervisor and agent share of one run, in a file that the agent can write. The supervisor writes the first four
 * before it starts the agent; a session key is the mark by which it knows that the agent has attached.
 */
export const RunFacts = z.looseObject({
  requestId: z.string().optional(),
  generation: z.number().optional(),
  baseSha: z.string().nullable().optional(),
  /** Where it works in other resources, and from which commit. */
  others: z
    .array(z.object({ resourceKey: z.string(), workingDirectory: z.string(), baseSha: z.string() }))
    .max(limits.otherResources)
    .optional(),
  sessionKey: z.string().optional(),
  objectiveId: z.string().optional(),
  /** Number of the next ledger batch. */
  ledgerSeq: z.number().optional(),
  /** Digest of the changes that the service has last heard of. */
  ledgerDigest: z.string().optional(),
})
export type RunFacts = z.infer<typeof RunFacts>

export interface RunFolders {
  requestId: string
  tmpDirectory: string
  workingDirectory: string | undefined
}

/**
 * The paths of the run facts: in the agent's TMPDIR, or in its working directory, where a sandbox lets it write there
 * alone.
 */
export function runFactsPaths({ requestId, tmpDirectory, workingDirectory }: RunFolders): string[] {
  const name = `run-${requestId}.json`
  const first = join(tmpDirectory, name)
  return workingDirectory ? [first, join(workingDirectory, '.svc', 'tmp', name)] : [first]
}

/** Empty when there is none, when it cannot be read, or when it is of another generation. */
export function readRunFacts(paths: readonly string[], generation?: number): RunFacts {
  const isOther = (facts: RunFacts) =>
    generation !== undefined && (facts.generation ?? generation) !== generation
  const found = paths.map(parse).filter((facts) => !isOther(facts))
  return found.reduce((all, facts) => ({ ...all, ...facts }), {})
}

/** Replaces what is there, in one step, readable by its owner only; in the first place that takes it, and only there. */
export function writeRunFacts(paths: readonly string[], facts: RunFacts): void {
  const [path, ...others] = paths
  if (path === undefined) return
  try {
    writeDurably(path, JSON.stringify(facts))
  } catch (error) {
    if (others.length === 0) throw error
    return writeRunFacts(others, facts)
  }
  for (const other of others) rmSync(other, { force: true })
}

function parse(path: string): RunFacts {
  try {
    return RunFacts.parse(JSON.parse(readUntrusted(path, mostBytes) ?? '{}'))
  } catch {
    return {}
  }
}
