import type { MetLimit } from '@svc/contracts/agent-limit'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { waitOfRunner } from '../entities/execution-requests/waits.ts'
import { requeueRun } from './end.ts'
import type { Ending } from './end-cancelled.ts'
import { notifyOfHold, releasedBy } from './hold-notice.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Held extends MetLimit {
  /** What the agent said, or the runner, for whoever may read the mission. */
  detail?: string | undefined
}

/**
 * A limit of the provider met a run that no agent has attached to: back to the queue, where another machine may take it at
 * once. It costs no attempt. Decision 87.
 */
export async function holdUnattached(
  tx: UnitOfWork,
  trigger: 'release' | 'hold',
  ending: Ending,
  { kind, until, detail }: Held,
): Promise<ExecutionRequestRow> {
  const { mission, objective, request: before } = ending.run
  const request = await requeueRun(tx, trigger, ending, {
    ...releasedBy(kind, before.agent, detail),
    ...(await waitOfRunner(tx, before, kind, until)),
    costsAttempt: false,
  })
  await notifyOfHold(tx, { mission, objective, request }, before)
  return request
}
