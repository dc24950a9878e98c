import { type AgentLimit, describeHold, isAgentLimit } from '@svc/contracts/agent-limit'
import { appPages } from '@svc/contracts/links'
import type { ExecutionRequestRow } from '@svc/db/tables'
import type { Run } from '../lifecycle/lock-run.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { notifyOwner } from '../notifications/notify-owner.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Release = NonNullable<ExecutionRequestRow['last_release']>

/** What a limit of the agent's provider leaves with the run that waits for its end. */
export function releasedBy(
  reason: AgentLimit,
  agent: string,
  detail: string | undefined,
): Pick<Release, 'reason' | 'next'> & { detail?: string } {
  const next = { operation: 'retryAgent', params: { agent } } as const
  return { reason, next, ...(detail !== undefined && { detail }) }
}

/** Once for a hold: while the same limit comes again with each try of the same runner, nobody hears of it anew. */
export async function notifyOfHold(
  tx: UnitOfWork,
  { mission, objective, request }: Pick<Run, 'mission' | 'objective' | 'request'>,
  before: Pick<ExecutionRequestRow, 'runner_id' | 'waits'>,
): Promise<void> {
  const { reason = '', until, next } = request.last_release ?? {}
  if (request.status !== 'queued' || until === undefined || !isAgentLimit(reason)) return
  if (before.runner_id !== null && before.waits[before.runner_id]?.reason === reason) return
  const { id, agent } = request
  await notifyOwner(
    tx,
    { mission, request },
    {
      kind: 'run_held',
      key: `run_held:${id}:${until}`,
      title: `${displayIdOf(mission, objective)} waits for ${describeHold({ agent, reason, until })}`,
      page: appPages.run(id),
      subject_id: id,
      next: next ?? { operation: 'getExecutionRequest', params: { id } },
    },
  )
}
