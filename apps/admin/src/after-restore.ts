import { type Restored, endRestored } from '@svc/domain/backups/end-restored'
import { findViolations } from '@svc/domain/entities/run-queues/invariants'
import type { Log } from '@svc/process/log'
import { type DomainEnvironment, openDomainOf } from '@svc/service/domain'
import { z } from 'zod'
import { SetUpError, type Streams, requireReady } from './create-owner.ts'

export const RestoreInput = z.object({
  keepTokens: z.boolean().default(false),
  yes: z.boolean().default(false),
  json: z.boolean().default(false),
})
type RestoreInput = z.infer<typeof RestoreInput>

/** Without `yes` it says what it would end, and changes nothing. */
export async function runAfterRestore(
  environment: DomainEnvironment,
  { log, input, say }: { log: Log; input: RestoreInput; say: Streams },
): Promise<void> {
  await using domain = await openDomainOf({ ...environment, SVC_NOTIFY: false }, { log })
  await requireReady(domain)
  const { keepTokens, yes, json } = input
  const restored = await endRestored(domain, { keepTokens, isDry: !yes })
  const violations = await findViolations(domain.db)
  if (json) say.stdout(`${JSON.stringify({ isDry: !yes, ...restored, violations })}\n`)
  else say.stdout(`${describe(restored, input)}\n`)
  if (violations.length === 0) return
  const broken = violations.map(({ invariant, id }) => `${invariant} (${id})`)
  throw new SetUpError(
    `The database is not as the service leaves it: ${broken.join('; ')}. Restore a backup that was taken as a whole, or start the apps and look again in a minute: they repair what they can.`,
  )
}

function describe(
  { sessions, tokens, codes, links, logins, leases }: Restored,
  { keepTokens, yes }: RestoreInput,
): string {
  const ended = Object.entries({
    'sessions of browsers': sessions,
    [keepTokens ? 'tokens of single objectives' : 'tokens']: tokens,
    'authorization requests': codes,
    links,
    'logins under way': logins,
    'leases of runs': leases,
  }).map(([what, count]) => `${what}: ${count}`)
  return yes
    ? `Ended: ${ended.join(', ')}. Members, roles, passwords, linked accounts and webhook secrets are again what they were in the backup: look through what has changed since, then start the apps.`
    : `This would end: ${ended.join(', ')}. Nothing was changed: stop the apps, then send it again with --yes.`
}
