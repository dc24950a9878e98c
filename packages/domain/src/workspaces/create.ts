import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { recordAuditOfPersonIn } from '../audit/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import { newId } from '../common/ids.ts'
import type { Person } from '../entities/people/person.ts'
import type { UseCase } from '../use-case.ts'
import { deletedWorkspacesOf, workspacesOf } from '../entities/workspaces/queries.ts'

/** Sent again, the one that is there is answered. */
export function createWorkspace(
  context: UseCase,
  { userId }: Person,
  { slug, name }: RouteInput<'createWorkspace'>,
): Promise<RouteOutput<'createWorkspace'>> {
  return inTransaction(context, async (tx) => {
    const owned = await holdOwned(tx, userId)
    const before = owned.find((one) => one.slug === slug)
    if (before) return { workspace: before }
    if (!context.domain.newWorkspaces) throw turnedOff()
    const deleted = await deletedWorkspacesOf(tx, userId).execute()
    if (owned.length + deleted.length >= limits.workspacesPerPerson) throw tooMany()
    const id = newId()
    const made = await tx
      .insertInto('workspaces')
      .values({ id, slug, name })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) throw await taken(tx, userId, slug)
    await tx
      .insertInto('memberships')
      .values({ workspace_id: id, user_id: userId, role: 'owner' })
      .execute()
    const facts = { action: 'workspace.created', targetId: id, details: { name, slug } } as const
    recordAuditOfPersonIn(tx, context, { workspaceId: id, userId }, facts)
    return { workspace: { id, slug, name, role: 'owner' } }
  })
}

/** One after the other, so that the count stands. */
async function holdOwned(tx: Tx, userId: string) {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  return workspacesOf(tx, userId).where('m.role', '=', 'owner').execute()
}

function turnedOff(): ServiceError {
  return new ServiceError(
    'forbidden',
    'New workspaces are turned off here (SVC_NEW_WORKSPACES). Ask whoever operates the service to make one for you.',
  )
}

function tooMany(): ServiceError {
  return new ServiceError(
    'validation_failed',
    `You own ${limits.workspacesPerPerson} workspaces, with those that are deleted and can be restored, and nobody makes more.`,
  )
}

async function taken(tx: Tx, userId: string, slug: string): Promise<ServiceError> {
  const deleted = await deletedWorkspacesOf(tx, userId)
    .where('w.slug', '=', slug)
    .executeTakeFirst()
  const why = deleted
    ? `Your workspace ${deleted.name} was deleted and has the slug ${slug} until it is gone for good. Restore it at your account, or choose another slug.`
    : `There is a workspace ${slug} already. Choose another slug, or ask its people to invite you.`
  return new ServiceError('already_exists', why)
}
