import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { migrate } from '@svc/admin/migrate'
import { enrol } from '@svc/domain/testing/enrol'
import { highLimits } from '@svc/testing/high-limits'
import { openDomainOf } from '../e2e/support/open-domain.ts'
import { openPartsOn } from '../e2e/support/parts.ts'
import { openPartsDatabase } from './parts-database.ts'
import { judgeParts } from './parts-judge.ts'
import { createPace, openPartsLoad } from './parts-load.ts'
import { troubleParts } from './parts-trouble.ts'
import { watchParts } from './parts-watch.ts'
import type { SoakOptions, SoakResult } from './soak.ts'
import { randomFrom } from './webhooks.ts'

/** The share of what the parts carry undisturbed. */
const share = 2 / 3
/** As much of the time is spent on measuring that. */
const measured = 1 / 10

/**
 * Launches, deliveries, webhooks, tool calls and readers of the feed at two thirds of what the parts carry, while replicas are
 * killed, drained and added, and PostgreSQL is restarted and failed over. What was acknowledged must be there, once.
 */
export async function soakParts({
  minutes,
  seed,
  say,
  signal,
}: Pick<SoakOptions, 'minutes' | 'seed' | 'say' | 'signal'>): Promise<SoakResult> {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openPartsDatabase())
  const secretKeys = `soak:${randomBytes(32).toString('base64')}`
  await migrate({ databaseUrl: database.url, secretKeys })
  const domain = opened.use(await openDomainOf(database.url, secretKeys))
  const { token } = await enrol(domain, { workspace: 'soak', name: 'person' })
  const more = { ...highLimits, SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1', SVC_POOL_SIZE: '10' }
  const parts = opened.use(await openPartsOn(database.url, secretKeys, more))
  const { baseUrl } = parts
  const pace = createPace()
  const load = opened.use(await openPartsLoad({ baseUrl, token }, pace))
  const watching = new AbortController()
  const watch = watchParts(parts, database, watching.signal)
  const wait = (seconds: number) =>
    delay(seconds * 1000, undefined, { signal }).catch(() => undefined)

  await wait(minutes * 60 * measured)
  const most = load.carried.length / (minutes * 60 * measured)
  say(`  ${most.toFixed(1)} cycles a second undisturbed`)
  pace.set(Math.max(most * share, 0.1))
  const over = new AbortController()
  const environment = {
    ...more,
    DATABASE_URL: database.url,
    SVC_SECRET_KEYS: secretKeys,
    SVC_BASE_URL: baseUrl,
  }
  const ground = { parts, database, environment, random: randomFrom(seed), say }
  const trouble = troubleParts(ground, AbortSignal.any([over.signal, signal]))
  await Promise.race([wait(minutes * 60 * (1 - measured)), trouble])
  over.abort()
  const done = await trouble
  await load.stop()
  watching.abort()
  await watch.ended
  const judged = await judgeParts({ domain, load, isWhole: !signal.aborted, say })
  return {
    figures: [
      [
        'operations',
        `${load.carried.length} cycles, ${load.posted.titles.length} tool calls, ${load.receiver.posts.length} posts`,
      ],
      ['a second', `${most.toFixed(1)} undisturbed, ${(most * share).toFixed(1)} asked for`],
      ['trouble', [...done].map(([deed, times]) => `${deed} ${times}`).join(', ')],
      ...judged.figures,
      ...watch.figures(),
    ],
    violations: judged.violations,
  }
}
