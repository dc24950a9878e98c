import { ServiceError } from '@svc/contracts/errors'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import type { Author } from '../commit/records.ts'
import { endWaiting } from '../execution-requests/cancel.ts'
import { allowsRequest } from '../states/table.ts'
import { findLiveRequest, findSessionOf } from '../entities/execution-requests/queries.ts'
import { lockRequest } from '../lifecycle/locks.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Naming {
  agentIdentifier: string
  generation?: number | undefined
  externalSessionId?: string | undefined
}

interface Found {
  objective: ObjectiveRow
  /** With the newest of the objective. */
  named: { request: ExecutionRequestRow; newest: ExecutionRequestRow | undefined } | undefined
  author: Author
}

/** Which request this attach belongs to, if any. Decision 26. */
export async function chooseRequest(
  tx: UnitOfWork,
  { objective, named, author }: Found,
  input: Naming,
): Promise<ExecutionRequestRow | undefined> {
  if (named) return requireCurrent(named.request, named.newest, input)
  const found = await findLiveRequest(tx, objective)
  if (!found) return undefined
  const live = await lockRequest(tx, objective.workspace_id, found.id)
  if (live.status === 'queued' || live.status === 'claimed') {
    const summary = `Cancelled: ${input.agentIdentifier} came without it and works in its place`
    endWaiting(tx, 'supersede', live, { author, summary })
    return undefined
  }
  // the launched agent that forgot its id: without this link it would be started a second time
  const session = await findSessionOf(tx, live)
  return !session || isSameAgent(session, input) ? live : undefined
}

/** An agent that attaches again under its own session id goes on with its run, though it forgot the run's id. */
function isSameAgent(session: AgentSessionRow, { externalSessionId }: Naming): boolean {
  return externalSessionId !== undefined && session.external_session_id === externalSessionId
}

/** A generation that was superseded, a request not yet launching, and one that is over may not attach. */
function requireCurrent(
  named: ExecutionRequestRow,
  newest: ExecutionRequestRow | undefined,
  input: Naming,
): ExecutionRequestRow {
  const generation = input.generation ?? 1
  const attachable = allowsRequest('attach', named)
  if (newest?.id === named.id && named.generation === generation && attachable) return named
  throw new ServiceError(
    'stale_execution',
    'This launch is over or was superseded by a later one. Stop; a current run does the work.',
    { status: named.status, generation: named.generation },
  )
}
