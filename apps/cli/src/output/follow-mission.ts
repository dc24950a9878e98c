import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@svc/client/client'
import type { MissionEvent } from '@svc/contracts/mission'
import { type Cli, say, write } from '../cli.ts'
import { isUnreachable } from './failure.ts'
import { localClock } from './local-time.ts'
import { jsonLine, oneLine, paint } from './terminal.ts'

/** The feed only wakes: what is shown is read anew, so a lost wake-up costs this long at most. */
const quietMs = 3_000

export interface Following {
  /** The UUID of the mission, or its display id. */
  id: string
  isDone: () => Promise<boolean>
  /** What happened before stays unread; the whole history is shown when left out. */
  since?: string
  /** Which events are shown; all of them when left out. */
  shows?: (event: MissionEvent) => boolean
  /** What is passed over once is never asked for again. */
  passesForGood?: true
}

/** Prints a mission's history and what is added to it, until `isDone` or the command is stopped. */
export async function followMission(cli: Cli, client: Client, following: Following): Promise<void> {
  const { id, isDone } = following
  const ended = new AbortController()
  const signal = AbortSignal.any([cli.signal, ended.signal])
  const shown = new Set<string>()
  const wake = wakeOnChanges(client, id, signal)
  try {
    for (let reachable = true; !signal.aborted; await wake.next()) {
      try {
        // Asked first, so that all that led to the end is still shown.
        const done = await isDone()
        for (const event of await newEvents(client, following, shown)) await show(cli, event)
        if (done) return
        reachable = true
      } catch (error) {
        if (!isUnreachable(error)) throw error
        if (reachable) say(cli, 'The service cannot be reached; waiting for it …')
        reachable = false
      }
    }
  } finally {
    ended.abort()
  }
}

function wakeOnChanges(client: Client, missionId: string, signal: AbortSignal) {
  let changed = Promise.withResolvers<void>()
  const listen = async () => {
    for await (const { event } of client.feed({ missionId, signal })) {
      // output is no entry of the history
      if (event !== 'log') changed.resolve()
    }
  }
  // Without the feed the timer alone goes on; a service that is gone shows when it is read.
  listen().catch(() => undefined)
  return {
    async next() {
      await Promise.race([
        changed.promise,
        sleep(quietMs, undefined, { signal }).catch(() => undefined),
      ])
      changed = Promise.withResolvers<void>()
    },
  }
}

/** Those that were not shown yet, oldest first. */
async function newEvents(
  client: Client,
  { id, since = '', shows = () => true, passesForGood }: Following,
  shown: Set<string>,
): Promise<MissionEvent[]> {
  const fresh: MissionEvent[] = []
  let cursor: string | undefined
  do {
    const page = await client.call('listMissionEvents', { id, ...(cursor && { cursor }) })
    const unseen = page.events.filter((event) => !shown.has(event.id) && event.createdAt >= since)
    fresh.push(...unseen)
    cursor = unseen.length === page.events.length ? page.nextCursor : undefined
  } while (cursor !== undefined)
  // what is passed over now may be asked for later: the run that follows on is known only after its first event
  const wanted = fresh.filter(shows)
  for (const event of passesForGood ? fresh : wanted) shown.add(event.id)
  return wanted.toReversed()
}

function show(cli: Cli, event: MissionEvent): Promise<void> {
  return write(cli, cli.settings.json ? jsonLine(event) : timelineLine(cli, event))
}

function timelineLine({ stdout }: Cli, { type, summary, actor, createdAt }: MissionEvent): string {
  const time = localClock(createdAt)
  const what = paint('cyan', oneLine(type).padEnd(20), stdout)
  return `${paint('dim', time, stdout)}  ${what}  ${oneLine(summary)}  ${paint('dim', oneLine(actor.name), stdout)}`
}
