import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable, Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { recordAudit } from '../../audit/record.ts'
import { recordChange } from '../../commit/records.ts'
import { newId } from '../../common/ids.ts'
import { requireProject } from '../../entities/projects/queries.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { askEndpoint } from './endpoint.ts'
import { newWebhookSecret, sealSecret } from '../secret.ts'
import { auditOf, viewSubscription } from './views.ts'

/** The secret is in this answer and nowhere else. spec: Other REST endpoints, row POST /api/webhooks. */
export async function createWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'createWebhook'>,
): Promise<RouteOutput<'createWebhook'>> {
  authorize(actor, 'webhook:create')
  const endpointOf = await askEndpoint(context.domain, actor, input.endpointUrl)
  return inTransaction(
    context,
    async (tx) => {
      const endpointUrl = endpointOf()
      await refuseIfMany(tx, actor.workspaceId)
      const owner = { workspace_id: actor.workspaceId, id: newId() }
      const secret = newWebhookSecret()
      const row = await tx
        .insertInto('webhook_subscriptions')
        .values({
          ...owner,
          name: input.name,
          endpoint_url: endpointUrl,
          event_types: input.eventTypes,
          project_id: await projectIdOf(tx, actor, input.projectId),
          payload_mode: input.payloadMode,
          secret_ciphertext: sealSecret(context.domain.keys, owner, secret),
          created_by: actor.userId,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      recordChange(tx, { webhook: row }, 'create')
      recordAudit(tx, context, actor, auditOf('webhook.created', row))
      return { webhook: viewSubscription(row), secret }
    },
    { secretAnswer: true },
  )
}

/** One after the other in a workspace, so that the count stands. */
async function refuseIfMany(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(tx)
  const { rows } = await sql`
    select from webhook_subscriptions where workspace_id = ${workspaceId} and deleted_at is null
     limit ${limits.webhooksPerWorkspace}`.execute(tx)
  if (rows.length < limits.webhooksPerWorkspace) return
  throw new ServiceError(
    'validation_failed',
    `A workspace has at most ${limits.webhooksPerWorkspace} webhooks: delete one that nobody needs any more.`,
    undefined,
    { next: { operation: 'listWebhooks', params: {} } },
  )
}

export async function projectIdOf(
  db: Queryable,
  actor: Actor,
  ref: string | null | undefined,
): Promise<string | null> {
  return ref == null ? null : (await requireProject(db, actor.workspaceId, ref)).id
}
