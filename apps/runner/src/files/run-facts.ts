import { join } from 'node:path'
import { z } from 'zod'
import { readUntrusted, writeDurably } from './durable-file.ts'

const mostBytes = 64 * 1024

/**
 * What supervisor and agent share of one run, in a file that the agent can write. The supervisor writes the first three
 * before it starts the agent; a session key is the mark by which it knows that the agent has attached.
 */
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

export function runFactsPath(folder: string, requestId: string): string {
  return join(folder, `run-${requestId}.json`)
}

/** Empty when there is none, when it cannot be read, or when it is of another generation. */
export function readRunFacts(path: string, generation?: number): RunFacts {
  const facts = parse(path)
  const isOther = generation !== undefined && (facts.generation ?? generation) !== generation
  return isOther ? {} : facts
}

/** Replaces what is there, in one step, readable by its owner only. */
export function writeRunFacts(path: string, facts: RunFacts): void {
  writeDurably(path, JSON.stringify(facts))
}

function parse(path: string): RunFacts {
  try {
    return RunFacts.parse(JSON.parse(readUntrusted(path, mostBytes) ?? '{}'))
  } catch {
    return {}
  }
}
