import type { Domain } from '../domain.ts'
import { fanOutDue } from '../webhooks/sending/fan-out.ts'
import { type LoadedJob, claimAttempts } from '../webhooks/sending/load.ts'
import type { Finished } from '../webhooks/sending/moves.ts'
import { requestOf } from '../webhooks/sending/request.ts'
import { defaultTiming } from '../webhooks/sending/retry-schedule.ts'
import { settle } from '../webhooks/sending/settle.ts'

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
