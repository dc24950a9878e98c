import type { Domain } from '../domain.ts'
import { sweep } from '../sweep/sweep.ts'
import { keepLogQuotas } from '../sweep/log-quota.ts'
import { purgeExpired } from '../sweep/purge-expired.ts'
import { type Channel, channels } from '../jobs/wake-hub.ts'
import { checkQueues } from '../run-queues/repair.ts'
import { removeClosedSetUp } from '../people/set-up.ts'
import { advanceQueues } from '../run-queues/planner/planner.ts'
import { notifyOfEndingTokens } from '../user-tokens/notify-of-end.ts'
import { purgeDeleted } from '../deletion/purge.ts'
import { purgeWorkspaces } from '../workspaces/purge.ts'
import { inTransaction } from '../commit/transaction.ts'

export interface DomainLoop {
  name: string
  everyMs: number
  /** One pass over what is due now. */
  run: () => Promise<unknown>
  /** What may give it something to do before its time. */
  hint?: Channel
}

const hourMs = 3_600_000
const minuteMs = 60_000

/** Run in every API process, in any number. */
export function domainLoops(domain: Domain): DomainLoop[] {
  return [
    { name: 'sweep', everyMs: domain.seconds.sweep * 1000, run: () => sweep(domain) },
    {
      name: 'run-queues',
      everyMs: domain.pollMs,
      run: () => advanceQueues(domain),
      hint: channels.queues,
    },
    { name: 'check-queues', everyMs: minuteMs, run: () => checkQueues(domain) },
    {
      name: 'purge-expired-each-minute',
      everyMs: minuteMs,
      run: () => purgeExpired(domain, 'each minute'),
    },
    { name: 'keep-log-quotas', everyMs: minuteMs, run: () => keepLogQuotas(domain) },
    {
      name: 'purge-expired-each-hour',
      everyMs: hourMs,
      run: () => purgeExpired(domain, 'each hour'),
    },
    {
      name: 'remove-closed-set-up',
      everyMs: hourMs,
      run: () => inTransaction({ domain }, removeClosedSetUp),
    },
    { name: 'tell-of-ending-tokens', everyMs: hourMs, run: () => notifyOfEndingTokens(domain) },
    { name: 'purge-deleted', everyMs: hourMs, run: () => purgeDeleted(domain) },
    { name: 'purge-workspaces', everyMs: hourMs, run: () => purgeWorkspaces(domain) },
  ]
}
