import type { Domain } from '@svc/domain/domain'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { type LoadedJob, claimAttempts } from '@svc/domain/webhooks/sending/load'
import type { Finished } from '@svc/domain/webhooks/sending/moves'
import { requestOf } from '@svc/domain/webhooks/sending/request'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { settle } from '@svc/domain/webhooks/sending/settle'

/** What the loops of a dispatcher do, step by step until nothing is due any more. */
export async function deliverDue(domain: Domain): Promise<void> {
  while ((await fanOutDue(domain, defaultTiming)) > 0) continue
  for (;;) {
    const loaded = await claimAttempts(domain, { limit: 64 })
    if (loaded.length === 0) return
    const finished = await Promise.all(loaded.map((one) => finish(domain, one)))
    await settle(domain, finished, defaultTiming)
  }
}

async function finish(domain: Domain, loaded: LoadedJob): Promise<Finished> {
  if (loaded.todo === 'drop') return { did: 'drop', job: loaded.job }
  const { todo, attempt } = loaded
  if (todo !== 'send') return { did: todo, attempt }
  const request = requestOf(domain, attempt)
  const result = await domain.outbound.send({ ...request, timeoutMs: defaultTiming.attemptMs })
  return { did: 'send', attempt, result }
}
