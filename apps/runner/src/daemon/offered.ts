import { RunnerAgent } from '@svc/contracts/runner'
import { z } from 'zod'
import { parseJson } from '../files/parse-json.ts'
import { readIfThere, writeDurably } from '../files/durable-file.ts'
import type { Home } from '../files/home.ts'
import { findDaemon } from './home-lock.ts'

const Offered = z.strictObject({ pid: z.int(), agents: z.array(RunnerAgent) })

/**
 * Writes the agents down for whoever asks on this machine: a daemon finds them in an environment that nobody else has.
 */
export function writeOffered(home: Home, agents: readonly RunnerAgent[]): void {
  writeDurably(home.offeredFile, `${JSON.stringify({ pid: process.pid, agents }, null, 2)}\n`)
}

/** The agents that the running daemon offers. Undefined where no daemon runs, or none has written them down. */
export function readOffered(home: Home): RunnerAgent[] | undefined {
  const text = readIfThere(home.offeredFile)
  if (text === undefined) return undefined
  const { success, data } = Offered.safeParse(parseJson(text))
  return success && data.pid === findDaemon(home) ? data.agents : undefined
}
