import { describeReset } from '@svc/contracts/held-access'
import { createResetLinkOnServer } from '@svc/domain/members/reset-links'
import { variable } from '@svc/process/env'
import type { Log } from '@svc/process/log'
import { DomainEnvironment, openDomainOf } from '@svc/service/domain'
import { z } from 'zod'
import { type Streams, requireReady } from './create-owner.ts'

/** What every program needs, and the public origin, which the link leads to. */
export const ResetEnvironment = z.object({
  ...DomainEnvironment.shape,
  SVC_BASE_URL: variable('SVC_BASE_URL'),
})
type ResetEnvironment = z.infer<typeof ResetEnvironment>

/** Whatever stands in its place: an account without an address has a name of its form, and npm start makes an owner@localhost. */
export const ResetInput = z.object({
  email: z
    .string()
    .trim()
    .min(1, 'name the account')
    .max(254, 'an address has at most 254 characters'),
})
type ResetInput = z.infer<typeof ResetInput>

/** The link alone goes to standard output. */
export async function runResetLink(
  environment: ResetEnvironment,
  { log, input, say }: { log: Log; input: ResetInput; say: Streams },
): Promise<void> {
  await using domain = await openDomainOf({ ...environment, SVC_NOTIFY: false }, { log })
  await requireReady(domain)
  const { link, expiresAt, ends } = await createResetLinkOnServer(domain, {
    email: input.email,
    baseUrl: environment.SVC_BASE_URL,
  })
  say.stderr(`${describeReset(input.email, ends)}\n`)
  say.stdout(`${link}\n`)
  const until = expiresAt.toISOString()
  say.stderr(
    `It resets the account of ${input.email}, once, until ${until}: hand it to nobody else.\n`,
  )
}
