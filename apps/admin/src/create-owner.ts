import { Slug } from '@svc/contracts/ids'
import type { Domain } from '@svc/domain/domain'
import { setUpPath } from '@svc/domain/people/set-up'
import { checkReady } from '@svc/domain/ready'
import { type CreatedOwner, createOwner } from '@svc/domain/workspaces/set-up/create-owner'
import { variable } from '@svc/process/env'
import type { Log } from '@svc/process/log'
import { DomainEnvironment, openDomainOf } from '@svc/service/domain'
import { z } from 'zod'

const name = z.string().trim().min(1, 'give a name').max(200, 'give at most 200 characters')

/** What the command reads from its environment. */
export const OwnerEnvironment = DomainEnvironment.extend({
  SVC_BASE_URL: variable('SVC_BASE_URL').optional(),
})
export type OwnerEnvironment = z.infer<typeof OwnerEnvironment>

/** What the command takes, by the names of its options. */
export const OwnerInput = z.object({
  workspace: Slug,
  workspaceName: name,
  email: z.email('give an e-mail address'),
  name,
  newToken: z.boolean().default(false),
  json: z.boolean().default(false),
})
export type OwnerInput = z.infer<typeof OwnerInput>

export interface Streams {
  stdout: (text: string) => void
  stderr: (text: string) => void
}

/** Its message is one sentence that says what to do. */
export class SetUpError extends Error {
  override readonly name = 'SetUpError'
}

const tokenDays = 366

/** The token alone goes to standard output, so that it can be kept without being read; all else is for people. */
export async function runCreateOwner(
  environment: OwnerEnvironment,
  { log, input, say }: { log: Log; input: OwnerInput; say: Streams },
): Promise<void> {
  await using domain = await openDomainOf({ ...environment, SVC_NOTIFY: false }, { log })
  await requireReady(domain)
  const { setUpSecret, ...owner } = await createOwner(domain, {
    workspace: { slug: input.workspace, name: input.workspaceName },
    person: { email: input.email, name: input.name },
    newToken: input.newToken,
    tokenDays,
  })
  const baseUrl = environment.SVC_BASE_URL ?? 'http://127.0.0.1:4600'
  const link = setUpSecret && baseUrl + setUpPath(setUpSecret)
  if (input.json) say.stdout(`${JSON.stringify({ ...owner, setUpUrl: link })}\n`)
  else if (owner.token !== null) say.stdout(`${owner.token}\n`)
  say.stderr(`${describeOwner(owner, input)}\n`)
  if (link !== null && !input.json) say.stderr(`${describeLink(link, input)}\n`)
}

/** Nobody probes a command: on a busy server it waits. */
export const readyPatienceMs = 20_000

export async function requireReady(domain: Domain): Promise<void> {
  const failed = await checkReady(domain, readyPatienceMs)
  if (failed.length === 0) return
  const advice = failed.includes('schema')
    ? 'run svc-admin migrate with these variables first'
    : 'check that DATABASE_URL and SVC_SECRET_KEYS belong together'
  throw new SetUpError(`The database is not ready (${failed.join(', ')}): ${advice}.`)
}

function describeLink(link: string, { email }: OwnerInput): string {
  return `${email} sets a password for the browser here, once, and no earlier link is good any more:\n  ${link}`
}

function describeOwner(
  { isNew, token }: Pick<CreatedOwner, 'isNew' | 'token'>,
  { workspace, email }: OwnerInput,
): string {
  const who = isNew
    ? `${email} is now owner of ${workspace}.`
    : `${email} is owner of ${workspace} already.`
  return token === null
    ? `${who} No token was made; send it again with --new-token for one more.`
    : `${who} The token has full scope, is good for ${tokenDays} days and is shown only now: keep it where only you can read.`
}
