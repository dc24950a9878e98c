import { echoed } from '@svc/contracts/echoed'
import { ChangedFile } from '@svc/contracts/change-rationale'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { continueSession, lockSessionCall } from './call.ts'
import { requireObjective } from '../entities/objectives/queries.ts'
import { replyOf } from '../entities/sessions/views.ts'

type ItemAnswers = RouteOutput<'recordLedgerBatch'>['items']

/** Keeps a batch of observed files until the delivery. The same batch again gets the same answer. */
export async function recordLedgerBatch(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'recordLedgerBatch'>,
): Promise<RouteOutput<'recordLedgerBatch'>> {
  return inTransaction(context, async (tx) => {
    const locked = await lockSessionCall(tx, actor, 'session:update', {
      sessionKey: input.sessionKey,
    })
    const named = await requireObjective(tx, actor.workspaceId, input.id)
    if (named.objective.id !== locked.objective.id) throw notFound('objective', input.id)
    const call = await continueSession(tx, locked)
    const items = judge(input.items)
    const stored = await tx
      .insertInto('ledger_batches')
      .values({
        workspace_id: actor.workspaceId,
        objective_id: call.objective.id,
        batch_id: input.batchId,
        mission_id: call.mission.id,
        session_id: call.session.id,
        seq: input.seq,
        part: input.part?.number ?? null,
        parts: input.part?.of ?? null,
        items: JSON.stringify(input.items),
        answer: JSON.stringify(items),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'objective_id', 'batch_id'])
          // changes nothing; it makes the first answer readable in the same statement
          .doUpdateSet({ seq: sql<number>`ledger_batches.seq` }),
      )
      .returning('answer')
      .executeTakeFirstOrThrow()
    return { items: stored.answer, ...replyOf(call) }
  })
}

/** The last observation of a path counts; an earlier one in the same batch is `ignored`. */
function judge(items: readonly unknown[]): ItemAnswers {
  const parsed = items.map((item) => ChangedFile.safeParse(item))
  const lastOf = new Map<string, number>()
  for (const [index, one] of parsed.entries()) {
    if (one.success) lastOf.set(one.data.filePath, index)
  }
  return parsed.map((one, index) => {
    if (!one.success)
      return { result: 'warning', message: echoed(one.error.issues[0]?.message ?? 'unreadable') }
    return { result: lastOf.get(one.data.filePath) === index ? 'accepted' : 'ignored' }
  })
}
