import type { Need, NeedKind } from '@svc/contracts/need'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { Actor } from '../common/actor.ts'
import { disabledWebhooks, endingTokens } from './of-access.ts'
import { heldEntries, pausedQueues } from './of-queues.ts'
import { stoppedRuns, untakenLaunches } from './of-runs.ts'
import { approvals, questions, reviews } from './of-work.ts'
import type { Shown } from './shown.ts'

const kinds: Readonly<Record<NeedKind, Shown>> = {
  question: questions,
  review: reviews,
  approval: approvals,
  stopped_run: stoppedRuns,
  held_entry: heldEntries,
  paused_queue: pausedQueues,
  untaken_launch: untakenLaunches,
  disabled_webhook: disabledWebhooks,
  ending_token: endingTokens,
}

export interface Found {
  kind: NeedKind
  id: string
}

/** Those that are still there, in the order in which they are given. */
export async function loadNeeds(
  db: Queryable,
  actor: Actor,
  found: readonly Found[],
): Promise<Need[]> {
  if (found.length === 0) return []
  const byKind = Map.groupBy(found, ({ kind }) => kind)
  const queries = [...byKind].map(([kind, those]) => {
    const ids = those.map(({ id }) => id)
    return [kind, kinds[kind].select(actor.workspaceId, ids)] as const
  })
  const rows = await gather(db, Object.fromEntries(queries))
  return [...byKind].flatMap(([kind, those]) => {
    const there = new Map((rows[kind] ?? []).map((row) => [row.id, row]))
    return those.flatMap(({ id }) => {
      const row = there.get(id)
      return row ? [kinds[kind].view(actor, row)] : []
    })
  })
}
