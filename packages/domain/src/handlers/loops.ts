import type { Domain } from '../domain.ts'
import { sweep } from '../sweep/sweep.ts'
import { forgetOldChanges } from '../feed/forget.ts'
import { forgetIdempotencyKeys } from '../commit/idempotency.ts'
import { type Channel, channels } from '../jobs/wake-hub.ts'
import { checkQueues } from '../run-queues/mend.ts'
import { forgetFailedSignIns } from '../people/failed-sign-ins.ts'
import { forgetOpenIdRequests } from '../people/openid.ts'
import { forgetSetUp } from '../people/set-up.ts'
import { forgetOldLinks } from '../people/links.ts'
import { forgetOldSignIns } from '../people/sign-ins.ts'
import { advanceQueues } from '../run-queues/planner/planner.ts'
import { forgetOldClients } from '../oauth/clients.ts'
import { forgetOldRequests } from '../oauth/requests.ts'
import { forgetLoginRequests } from '../login-requests/queries.ts'
import { tellOfEndingTokens } from '../user-tokens/tell-of-end.ts'
import { purgeDeleted } from '../deletion/purge.ts'
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
    { name: 'forget-changes', everyMs: hourMs, run: () => forgetOldChanges(domain) },
    {
      name: 'forget-idempotency-keys',
      everyMs: minuteMs,
      run: () => inTransaction({ domain }, forgetIdempotencyKeys),
    },
    {
      name: 'forget-sign-ins',
      everyMs: hourMs,
      run: () => inTransaction({ domain }, forgetOldSignIns),
    },
    {
      name: 'forget-oauth',
      everyMs: hourMs,
      run: () =>
        inTransaction({ domain }, async (tx) => {
          await forgetOldRequests(tx)
          await forgetOldClients(tx)
        }),
    },
    {
      name: 'forget-failed-sign-ins',
      everyMs: minuteMs,
      run: () => inTransaction({ domain }, forgetFailedSignIns),
    },
    {
      name: 'forget-openid-requests',
      everyMs: minuteMs,
      run: () => inTransaction({ domain }, forgetOpenIdRequests),
    },
    { name: 'forget-set-up', everyMs: hourMs, run: () => inTransaction({ domain }, forgetSetUp) },
    {
      name: 'forget-links',
      everyMs: hourMs,
      run: () => inTransaction({ domain }, forgetOldLinks),
    },
    {
      name: 'forget-login-requests',
      everyMs: hourMs,
      run: () => inTransaction({ domain }, forgetLoginRequests),
    },
    { name: 'tell-of-ending-tokens', everyMs: hourMs, run: () => tellOfEndingTokens(domain) },
    { name: 'purge-deleted', everyMs: hourMs, run: () => purgeDeleted(domain) },
  ]
}
