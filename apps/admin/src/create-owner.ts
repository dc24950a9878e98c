import { Slug } from '@svc/contracts/ids'
import type { Domain } from '@svc/domain/domain'
import { checkReady } from '@svc/domain/ready'
import { type CreatedOwner, createOwner } from '@svc/domain/workspaces/create-owner'
import type { Log } from '@svc/process/log'
import { type DomainEnvironment, openDomainOf } from '@svc/service/domain'
import { z } from 'zod'

const name = z.string().trim().min(1, 'give a name').max(200, 'give at most 200 characters')

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
  environment: DomainEnvironment,
  { log, input, say }: { log: Log; input: OwnerInput; say: Streams },
): Promise<void> {
  await using domain = await openDomainOf({ ...environment, SVC_NOTIFY: false }, { log })
  await requireReady(domain)
  const owner = await createOwner(domain, {
    workspace: { slug: input.workspace, name: input.workspaceName },
    person: { email: input.email, name: input.name },
    newToken: input.newToken,
    tokenDays,
  })
  if (input.json) say.stdout(`${JSON.stringify(owner)}\n`)
  else if (owner.token !== null) say.stdout(`${owner.token}\n`)
  say.stderr(`${describeOwner(owner, input)}\n`)
}

export async function requireReady(domain: Domain): Promise<void> {
  const failed = await checkReady(domain)
  if (failed.length === 0) return
  const advice = failed.includes('schema')
    ? 'run svc-admin migrate with these variables first'
    : 'check that DATABASE_URL and SVC_SECRET_KEYS belong together'
  throw new SetUpError(`The database is not ready (${failed.join(', ')}): ${advice}.`)
}

function describeOwner({ isNew, token }: CreatedOwner, { workspace, email }: OwnerInput): string {
  const who = isNew
    ? `${email} is now owner of ${workspace}.`
    : `${email} is owner of ${workspace} already.`
  return token === null
    ? `${who} Nothing was changed; send it again with --new-token for one more token.`
    : `${who} The token has full scope, is good for ${tokenDays} days and is shown only now: keep it where only you can read.`
}
