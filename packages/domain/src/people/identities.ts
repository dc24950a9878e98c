import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { recordAuditOfPerson } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import { newId } from '../ids.ts'
import type { UseCase } from '../use-case.ts'
import type { Person } from './person.ts'
import { startSignIn } from './sign-ins.ts'

/** Somebody at a provider. Issuer and subject alone say who it is. */
export interface Identity {
  issuer: string
  subject: string
}

/** What a provider says of somebody who is nobody here yet. */
export interface Stranger extends Identity {
  email: string | undefined
  emailIsVerified: boolean
  name: string | undefined
}

/** Whom a provider may bring in, and as what. */
export interface Admission {
  /** Of the provider. */
  name: string
  domains: readonly string[]
  workspace: string
  role: 'member' | 'viewer'
}

/** Whose identity it is signs in; nobody's brings in a new person, if the provider may. */
export function signInByIdentity(
  context: UseCase,
  stranger: Stranger,
  { admission, browser }: { admission: Admission; browser: string },
): Promise<{ secret: string }> {
  return inTransaction(context, async (tx) => {
    const userId =
      (await findPerson(tx, stranger)) ?? (await admit(tx, context, stranger, admission))
    const { domain, from } = context
    return startSignIn(tx, domain.keys, { userId, browser, from, by: admission.name })
  })
}

/** For somebody who is signed in here and has just shown who they are there. */
export function linkIdentity(
  context: UseCase,
  { userId }: Person,
  { issuer, subject, provider }: Identity & { provider: string },
): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    if (await putIdentity(tx, userId, { issuer, subject })) {
      await tellOfLink(tx, context, userId, { issuer, subject, provider })
      return undefined
    }
    const owner = await ownerOf(tx, { issuer, subject })
    if (owner?.id === userId) return undefined
    throw new ServiceError('forbidden', `This account at ${provider} is somebody else's here.`)
  })
}

async function findPerson(tx: Tx, identity: Identity): Promise<string | undefined> {
  const owner = await ownerOf(tx, identity)
  if (owner?.disabled_at) throw new ServiceError('forbidden', 'This account is disabled here.')
  return owner?.id
}

function ownerOf(tx: Tx, { issuer, subject }: Identity) {
  return tx
    .selectFrom('user_identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['u.id', 'u.disabled_at'])
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .executeTakeFirst()
}

/** Two browsers of the same stranger at once make one person: the second finds what the first one made. */
async function admit(
  tx: Tx,
  context: UseCase,
  stranger: Stranger,
  admission: Admission,
): Promise<string> {
  const email = admittedAddress(stranger, admission)
  const { rows } = await sql<{ id: string }>`
    insert into users (id, email, name) values (${newId()}, ${email}, ${nameOf(stranger, email)})
    on conflict (lower(email)) do nothing returning id`.execute(tx)
  const [made] = rows
  if (!made) {
    const meanwhile = await findPerson(tx, stranger)
    if (meanwhile === undefined) throw addressIsTaken(admission)
    return meanwhile
  }
  if (!(await putIdentity(tx, made.id, stranger))) throw addressIsTaken(admission)
  await join(tx, made.id, admission)
  const { issuer, subject } = stranger
  const told = { issuer, subject, provider: admission.name, joined: admission.role }
  await tellOfLink(tx, context, made.id, told)
  return made.id
}

function admittedAddress({ email = '', emailIsVerified }: Stranger, { name, domains }: Admission) {
  const [, host] = /^[^\s@\p{Cc}]{1,200}@([^\s@]{1,200})$/u.exec(email) ?? []
  if (emailIsVerified && host !== undefined && domains.includes(host.toLowerCase())) return email
  throw new ServiceError(
    'forbidden',
    `Nobody here is linked to this account at ${name}. Sign in another way first and link it, or ask an admin for an invitation.`,
  )
}

function nameOf({ name = '' }: Stranger, email: string): string {
  return (
    name
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 200) || email
  )
}

async function putIdentity(tx: Tx, userId: string, { issuer, subject }: Identity) {
  const put = await tx
    .insertInto('user_identities')
    .values({ issuer, subject, user_id: userId })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return put !== undefined
}

async function join(tx: Tx, userId: string, { workspace, role, name }: Admission): Promise<void> {
  const { rows } = await sql`
    insert into memberships (workspace_id, user_id, role)
    select id, ${userId}, ${role} from workspaces where slug = ${workspace}
    returning user_id`.execute(tx)
  if (rows.length > 0) return
  throw new ServiceError(
    'forbidden',
    `The workspace ${workspace}, which ${name} brings people into, is not there. Ask whoever runs this service.`,
  )
}

function tellOfLink(
  tx: Tx,
  context: UseCase,
  userId: string,
  details: Identity & { provider: string; joined?: string },
): Promise<void> {
  return recordAuditOfPerson(tx, context, userId, {
    action: 'identity.linked',
    targetId: userId,
    details: { ...details },
  })
}

/** An equal address proves nothing: whoever it is signs in as that person and links the account. */
function addressIsTaken({ name }: Admission): ServiceError {
  return new ServiceError(
    'forbidden',
    `Somebody here has this e-mail address already. Sign in as that person first, then link the account at ${name}.`,
  )
}
