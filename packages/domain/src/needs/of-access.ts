import type { NextStep } from '@svc/contracts/next-step'
import { lookUp } from '../common/look-up.ts'
import type { UserTokenRow, WebhookSubscriptionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { endsSoonSince, renewStep } from '../user-tokens/notify-of-end.ts'
import { areNamed, shown, viewAny } from './shown.ts'

interface WebhookNeed extends Pick<
  WebhookSubscriptionRow,
  'id' | 'name' | 'project_id' | 'disabled_reason'
> {
  since: string
  addressed_to: null
  slug: string | null
}

export const disabledWebhooks = shown<WebhookNeed>({
  select: (workspaceId, ids) => sql<WebhookNeed>`
    select w.id, w.disabled_at as since, null as addressed_to, w.name, w.project_id, w.disabled_reason, p.slug
      from webhook_subscriptions w
      left join ${lookUp('projects', 'p', { of: 'w', id: 'project_id' })} on true
     where w.workspace_id = ${workspaceId} and ${areNamed('w.id', ids)}
       and w.disabled_at is not null and w.deleted_at is null`,
  view(actor, row) {
    const { id, name, project_id: projectId, disabled_reason: reason } = row
    return {
      ...viewAny(actor, 'disabled_webhook', row, { operation: 'enableWebhook', params: { id } }),
      project: projectId === null ? null : { id: projectId, slug: row.slug ?? '' },
      webhook: { id, name, reason: reason ?? 'manual' },
    }
  },
})

type TokenNeed = Pick<
  UserTokenRow,
  'id' | 'user_id' | 'kind' | 'label' | 'preset' | 'expires_at'
> & { name: string }

export const endingTokens = shown<TokenNeed>({
  select: (workspaceId, ids) => sql<TokenNeed>`
    select t.id, t.user_id, t.kind, t.label, t.preset, t.expires_at, u.name
      from user_tokens t join users u on u.id = t.user_id
     where t.workspace_id = ${workspaceId} and ${areNamed('t.id', ids)} and t.revoked_at is null`,
  view(actor, row) {
    const { id, kind, label, user_id: userId, expires_at: end } = row
    const since = endsSoonSince(row).toISOString()
    // what is another's only they can renew
    const listing: NextStep = { operation: 'listWorkspaceTokens', params: {} }
    const next = userId === actor.userId ? renewStep(row) : listing
    return {
      ...viewAny(actor, 'ending_token', { id, since, addressed_to: userId }, next),
      token: {
        id,
        label,
        kind,
        endsAt: end.toISOString(),
        person: { id: userId, name: row.name },
      },
    }
  },
})
