import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import type { Author } from '../commit/records.ts'
import { endWaiting } from '../execution-requests/cancel.ts'
import { findLiveRequest } from '../entities/execution-requests/queries.ts'
import { withUseOf } from '../lifecycle/count-run.ts'
import { lockRequest } from '../lifecycle/locks.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** A claim takes no lock of the mission, so what this request is now is known under its own lock alone. */
export async function lockLiveRequest(
  tx: UnitOfWork,
  objective: ObjectiveRow,
): Promise<ExecutionRequestRow | undefined> {
  const live = await findLiveRequest(tx, objective)
  return live && lockRequest(tx, objective.workspace_id, live.id)
}

type Choice = Pick<
  ExecutionRequestRow,
  'agent' | 'resource_key' | 'from_base' | 'only_runner' | 'resume_of' | 'config'
>

/** As resolved: what was left out counts as what it came to. Decision 21. */
function isSameChoice(one: Choice, other: Choice): boolean {
  return (
    one.agent === other.agent &&
    one.resource_key === other.resource_key &&
    one.from_base === other.from_base &&
    one.only_runner === other.only_runner &&
    one.resume_of === other.resume_of &&
    one.config.model.value === other.config.model.value &&
    one.config.reasoningEffort.value === other.config.reasoningEffort.value
  )
}

/** It was launched with this choice before, and that launch is live: asked for again, it is given and not refused. */
export function isLaunchedSo(
  live: ExecutionRequestRow | undefined,
  { state }: Pick<ObjectiveRow, 'state'>,
  wanted: Choice,
): live is ExecutionRequestRow {
  return live?.cancel_requested_at === null && state === 'launching' && isSameChoice(live, wanted)
}

/**
 * The launch that waits gives way to another choice. The objective stays `launching`; what a try of that launch has used,
 * which came back to wait, counts in it from now on.
 */
export function replaceLaunch(
  tx: UnitOfWork,
  author: Author,
  { live, objective }: { live: ExecutionRequestRow; objective: ObjectiveRow },
): Promise<ObjectiveRow> {
  const summary = 'Replaced by a launch with another choice'
  const after = endWaiting(tx, 'replace', live, { author, summary })
  return withUseOf(tx, objective, { before: live, after })
}
