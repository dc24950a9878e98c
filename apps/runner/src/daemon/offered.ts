import { Rights } from '@svc/contracts/rights'
import { RunnerAgent } from '@svc/contracts/runner'
import { z } from 'zod'
import { parseJson } from '../files/parse-json.ts'
import { readIfThere, writeDurably } from '../files/durable-file.ts'
import type { Home } from '../files/home.ts'
import { findDaemon } from './home-lock.ts'

const Offer = z.strictObject({
  agents: z.array(RunnerAgent),
  /** What they may do at most. */
  maxRights: Rights.default('all'),
})
export type Offer = z.infer<typeof Offer>

const Offered = Offer.extend({ pid: z.int() })

/**
 * Writes the agents down for whoever asks on this machine, and what they may do at most: a daemon has both from an
 * environment and from options that nobody else has.
 */
export function writeOffered(home: Home, offer: Offer): void {
  const offered = { pid: process.pid, ...offer }
  writeDurably(home.offeredFile, `${JSON.stringify(offered, null, 2)}\n`)
}

/** What the running daemon offers. Undefined where no daemon runs, or none has written it down. */
export function readOffered(home: Home): Offer | undefined {
  const text = readIfThere(home.offeredFile)
  if (text === undefined) return undefined
  const { success, data } = Offered.safeParse(parseJson(text))
  if (!success || data.pid !== findDaemon(home)) return undefined
  return { agents: data.agents, maxRights: data.maxRights }
}
