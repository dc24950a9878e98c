import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { unauthenticated } from '../access/authenticate.ts'
import { recordAuditOfPerson, recordAuditOfPersonIn } from '../audit/record.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { newId } from '../common/ids.ts'
import type { UseCase } from '../use-case.ts'
import { lockHolderOf, proveAddress, releaseAddress } from './addresses.ts'
import type { Person } from '../entities/people/person.ts'
import { startSignIn } from './sign-ins.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

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
  /** The name of the provider. */
  name: string
  domains: readonly string[]
  workspace: string
  role: 'member' | 'viewer'
}

/** Somebody nobody has linked, whose address belongs to an account that has not proven it. */
export interface AskedFirst {
  askedAbout: string
}

interface Arriving {
  admission: Admission
  browser: string
  /** They have been told whose address they take, and want an account of their own. */
  ownAccount?: boolean
}

/** Whose identity it is signs in; nobody's brings in a new person, if the provider may. */
export function signInByIdentity(
  context: UseCase,
  stranger: Stranger,
  { admission, browser, ownAccount = false }: Arriving,
): Promise<{ secret: string } | AskedFirst> {
  return inTransaction(context, async (tx) => {
    const known = await findPerson(tx, stranger)
    const arrived =
      known === undefined ? await admit(tx, context, stranger, { admission, ownAccount }) : known
    if (typeof arrived !== 'string') return arrived
    const email = provenAddress(stranger, admission)
    if (email !== undefined) await proveAddress(tx, arrived, email)
    const { domain, from } = context
    return startSignIn(tx, domain.keys, { userId: arrived, browser, from, by: admission.name })
  })
}

/** For somebody who is signed in here and has just shown who they are there. */
export function linkIdentity(
  context: UseCase,
  { userId, signIn }: Person,
  stranger: Stranger,
  admission: Admission,
): Promise<undefined> {
  const { issuer, subject } = stranger
  const { name: provider } = admission
  return inTransaction(context, async (tx) => {
    await holdSignIn(tx, signIn.id)
    const isNew = await putIdentity(tx, userId, stranger)
    const owner = isNew ? { id: userId } : await ownerOf(tx, stranger)
    if (owner?.id !== userId) {
      throw new ServiceError('forbidden', `This account at ${provider} is somebody else's here.`)
    }
    const email = provenAddress(stranger, admission)
    if (email !== undefined) await proveAddress(tx, userId, email)
    if (isNew) await recordLink(tx, context, userId, { issuer, subject, provider })
    return undefined
  })
}

/** Ending it waits for what is linked now, and what comes after that links nothing. */
async function holdSignIn(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql`
    select from sign_ins where id = ${id} and ended_at is null for share`.execute(tx)
  if (rows.length === 0) throw unauthenticated()
}

async function findPerson(tx: Tx, identity: Identity): Promise<string | undefined> {
  const owner = await ownerOf(tx, identity)
  if (owner?.disabled_at) throw new ServiceError('forbidden', 'This account is disabled here.')
  return owner?.id
}

/** Unlinking it waits for what is done by it now. */
function ownerOf(tx: Tx, { issuer, subject }: Identity) {
  return tx
    .selectFrom('user_identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['u.id', 'u.disabled_at'])
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .forKeyShare('i')
    .executeTakeFirst()
}

/** As often as somebody else can have come in between: their account is there, or the address is free, the next time. */
const tries = 3

/** Two browsers of the same stranger at once make one person: the second finds what the first one made. */
async function admit(
  tx: UnitOfWork,
  context: UseCase,
  stranger: Stranger,
  { admission, ownAccount }: { admission: Admission; ownAccount: boolean },
): Promise<string | AskedFirst> {
  const email = provenAddress(stranger, admission)
  if (email === undefined) throw notAdmitted(admission)
  const userId = newId()
  for (let tried = 0; tried < tries; tried += 1) {
    if (await putPerson(tx, { userId, email, name: nameOf(stranger, email) })) {
      await settleIn(tx, context, { userId, stranger, admission })
      return userId
    }
    const holder = await lockHolderOf(tx, email)
    // read after the holder is locked: who has the address by now may be this stranger, who came by another browser
    const meanwhile = await findPerson(tx, stranger)
    if (meanwhile !== undefined) return meanwhile
    if (holder?.keepsIt) throw addressIsTaken(admission)
    if (holder && !ownAccount) return { askedAbout: email }
    if (holder) await releaseAddress(tx, context, holder, admission.name)
  }
  throw addressIsTaken(admission)
}

interface NewPerson {
  userId: string
  email: string
  name: string
}

async function putPerson(tx: Tx, { userId, email, name }: NewPerson): Promise<boolean> {
  const { rows } = await sql`
    insert into users (id, email, name, email_proven_at)
    values (${userId}, ${email}, ${name}, app.now())
    on conflict (lower(email)) do nothing returning id`.execute(tx)
  return rows.length > 0
}

async function settleIn(
  tx: UnitOfWork,
  context: UseCase,
  { userId, stranger, admission }: { userId: string; stranger: Stranger; admission: Admission },
): Promise<void> {
  if (!(await putIdentity(tx, userId, stranger))) throw addressIsTaken(admission)
  const { name: provider, role } = admission
  const workspaceId = await join(tx, userId, admission)
  const joined = { action: 'member.joined', targetId: userId, details: { role, provider } } as const
  recordAuditOfPersonIn(tx, context, { workspaceId, userId }, joined)
  recordChange(tx, { member: { workspace_id: workspaceId, id: userId, role } }, 'join')
  const { issuer, subject } = stranger
  await recordLink(tx, context, userId, { issuer, subject, provider })
}

/** Verified at the provider, and of a domain that the operator listed for it. */
function provenAddress(
  { email = '', emailIsVerified }: Stranger,
  { domains }: Admission,
): string | undefined {
  const [, host] = /^[^\s@\p{Cc}]{1,200}@([^\s@]{1,200})$/u.exec(email) ?? []
  const isProven = emailIsVerified && host !== undefined && domains.includes(host.toLowerCase())
  return isProven ? email : undefined
}

function notAdmitted({ name }: Admission): ServiceError {
  return new ServiceError(
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

/** Answers the workspace. Whoever deletes it at this moment takes this membership away with the others, or it is gone. */
async function join(tx: Tx, userId: string, { workspace, role, name }: Admission): Promise<string> {
  const { rows } = await sql<{ workspace_id: string }>`
    insert into memberships (workspace_id, user_id, role)
    select id, ${userId}, ${role} from workspaces where slug = ${workspace} and deleted_at is null
       for share
    returning workspace_id`.execute(tx)
  if (rows[0]) return rows[0].workspace_id
  throw new ServiceError(
    'forbidden',
    `The workspace ${workspace}, which ${name} brings people into, is not there. Ask whoever runs this service.`,
  )
}

function recordLink(
  tx: UnitOfWork,
  context: UseCase,
  userId: string,
  details: Identity & { provider: string },
): Promise<void> {
  return recordAuditOfPerson(tx, context, userId, {
    action: 'identity.linked',
    targetId: userId,
    details: { ...details },
  })
}

/** Whoever it is signs in as that person and links the account. */
function addressIsTaken({ name }: Admission): ServiceError {
  return new ServiceError(
    'forbidden',
    `Somebody here has this e-mail address already. Sign in as that person first, then link the account at ${name}.`,
  )
}
