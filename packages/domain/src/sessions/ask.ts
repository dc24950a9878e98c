import { setTimeout as delay } from 'node:timers/promises'
import type { ProtocolInput, ProtocolOutput } from '@svc/contracts/protocol'
import type { QuestionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authenticateAgain } from '../people/access/authenticate-again.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import { where } from '../states/states.ts'
import { type SessionCall, continueSession, lockSessionCall } from './call.ts'
import { replyOf } from '../entities/sessions/views.ts'
import { type UseCase, withoutKey } from '../use-case.ts'
import { openQuestion } from './open-question.ts'
import { selectQuestion } from '../entities/questions/queries.ts'
import { takeAnswer, takeShown } from './take-answers.ts'
import { answerOf } from '../entities/questions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Input = ProtocolInput<'ask'>
type Output = ProtocolOutput<'ask'>

const pollMs = 1000

/**
 * Asks what only a person can decide, or waits on with what was asked. Answers as soon as the answer is there, at the
 * latest after `waitSeconds`. spec: States and transitions, row 6.
 */
export async function ask(context: UseCase, actor: Actor, input: Input): Promise<Output> {
  const deadline = performance.now() + input.waitSeconds * 1000
  const asked = await inTransaction(context, async (tx) => {
    const locked = await lockSessionCall(tx, actor, 'session:update', input)
    const call = await takeShown(tx, await continueSession(tx, locked))
    const { questionId, question } = input
    if (question === undefined) return lookAt(tx, call, questionId ?? '')
    const opened = await openQuestion(tx, call, { ...input, question })
    return replyTo(opened.call, opened.question)
  })
  if (asked.status !== 'open' || input.waitSeconds === 0) return asked
  return waitOn(withoutKey(context), actor, { ...input, questionId: asked.questionId }, deadline)
}

/** Looks without a lock until there is something, and only then speaks for the session. */
async function waitOn(
  context: UseCase,
  actor: Actor,
  { sessionKey, questionId }: Input & { questionId: string },
  deadline: number,
): Promise<Output> {
  const { signal } = context
  for (;;) {
    const left = deadline - performance.now()
    if (left <= 0 || signal?.aborted || (await isSettled(context, actor, questionId))) break
    // ended early by a caller that has gone
    await delay(Math.min(left, pollMs), undefined, { signal }).catch(() => undefined)
  }
  return inTransaction(context, async (tx) => {
    // the right to it may have gone while it waited
    const now = await authenticateAgain(tx, actor)
    const locked = await lockSessionCall(tx, now, 'session:update', { sessionKey })
    return lookAt(tx, await continueSession(tx, locked), questionId)
  })
}

async function isSettled({ domain }: UseCase, actor: Actor, id: string): Promise<boolean> {
  const { rows } = await sql<{ settled: boolean }>`
    select q.status <> 'open' or not ${where.unendedSession('s')} or r.cancel_requested_at is not null as settled
      from questions q
      join agent_sessions s on s.workspace_id = q.workspace_id and s.id = q.session_id
      left join execution_requests r
        on r.workspace_id = s.workspace_id and r.id = s.execution_request_id
     where q.workspace_id = ${actor.workspaceId} and q.id = ${id}`.execute(domain.db)
  return rows[0]?.settled ?? true
}

/** What became of the question; an answer is taken by being looked at. */
async function lookAt(tx: UnitOfWork, call: SessionCall, id: string): Promise<Output> {
  const { rows } = await selectQuestion(call.mission.workspace_id, id).execute(tx)
  const [found] = rows
  if (found?.session_id !== call.session.id) throw notFound('question', id)
  if (found.status !== 'answered') return replyTo(call, found)
  const taken = await takeAnswer(tx, call, found)
  return replyTo(taken.call, taken.question)
}

function replyTo(call: SessionCall, question: QuestionRow): Output {
  const answer = answerOf(question)
  return {
    questionId: question.id,
    status: question.status,
    ...(answer && { answer }),
    ...replyOf(call),
  }
}
