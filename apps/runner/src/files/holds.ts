import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AgentLimit, type MetLimit } from '@svc/contracts/agent-limit'
import { AgentKey, Timestamp } from '@svc/contracts/ids'
import { z } from 'zod'
import { readIfThere, writeDurably } from './durable-file.ts'
import type { Home } from './home.ts'
import { parseJson } from './parse-json.ts'

/** An agent that this machine does not offer, since its provider takes nothing from it. Decision 87. */
const Hold = z.strictObject({
  agent: AgentKey,
  reason: AgentLimit,
  /** When it is offered again, or asked once more whether somebody is signed in. */
  until: Timestamp,
  /** How often in a row; none once a person has said that it works. */
  tries: z.int().min(0),
  /** It works again before that time. */
  over: z.boolean().default(false),
  /** The service was told that the hold is over. */
  reported: z.boolean().default(false),
})
export type Hold = z.infer<typeof Hold>

interface Pace {
  firstMs: number
  longestMs: number
}

const minute = 60_000
/** Doubled each time that the same comes again. */
export const ofLimits: Pace = { firstMs: 5 * minute, longestMs: 60 * minute }
/** A tool is asked without a call of a model, which costs next to nothing. */
export const ofLooks: Pace = { firstMs: minute, longestMs: 60 * minute }
/** A limit that is met within this time after the end of the one before counts as the same one again. */
const togetherMs = 60 * minute
/** A later end is not believed: no provider has limits that last longer. */
const mostMs = 35 * 24 * 60 * minute

/** Files that cannot be read or parsed are ignored. */
export function readHolds({ holds }: Home): Hold[] {
  return namesIn(holds).flatMap((name) => {
    const { success, data } = Hold.safeParse(parseJson(readIfThere(join(holds, name)) ?? ''))
    return success && name === `${data.agent}.json` ? [data] : []
  })
}

export function findHold(home: Home, agent: string): Hold | undefined {
  return readHolds(home).find((hold) => hold.agent === agent)
}

/** One that is asked for at its time holds on until its tool has answered. */
export function isHolding({ over, until }: Hold, nowMs: number, isAsked = false): boolean {
  return !over && (isAsked || Date.parse(until) > nowMs)
}

const fresh = { over: false, reported: false } as const

/** Runs that meet the limit together are one try. */
export function holdAgent(
  home: Home,
  agent: string,
  { kind, until: known }: MetLimit,
  { nowMs = Date.now(), pace = ofLimits }: { nowMs?: number; pace?: Pace } = {},
): Hold {
  const before = findHold(home, agent)
  const isSame = before?.reason === kind && Date.parse(before.until) + togetherMs > nowMs
  const isTogether = isSame && isHolding(before, nowMs)
  const tries = isSame ? before.tries + (isTogether ? 0 : 1) : 1
  const growing = Math.min(pace.longestMs, pace.firstMs * 2 ** (Math.max(tries, 1) - 1))
  const own = isTogether ? Date.parse(before.until) : nowMs + growing
  const until = new Date(readKnown(known, nowMs) ?? own).toISOString()
  const hold: Hold = { ...fresh, agent, reason: kind, until, tries: Math.max(tries, 1) }
  write(home, hold)
  return hold
}

function readKnown(known: string | undefined, nowMs: number): number | undefined {
  const time = Date.parse(known ?? '')
  return time > nowMs && time - nowMs < mostMs ? time : undefined
}

/** It works again: its tool says so, or a person, after whose word the waits begin anew. */
export function endHold(home: Home, hold: Hold, { byPerson }: { byPerson: boolean }): void {
  write(home, { ...hold, over: true, reported: false, tries: byPerson ? 0 : hold.tries })
}

/** The service has heard that these are over. One that was written meanwhile stays as it is. */
export function noteReported(home: Home, reported: readonly Hold[]): void {
  const now = new Map(readHolds(home).map((hold) => [hold.agent, JSON.stringify(hold)]))
  for (const hold of reported) {
    const isStill = now.get(hold.agent) === JSON.stringify(hold)
    if (isStill) write(home, { ...hold, reported: true })
  }
}

function write(home: Home, hold: Hold): void {
  writeDurably(fileOf(home, hold.agent), `${JSON.stringify(hold)}\n`)
}

function fileOf({ holds }: Home, agent: string): string {
  return join(holds, `${agent}.json`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    // nobody has opened this home yet
    return []
  }
}
