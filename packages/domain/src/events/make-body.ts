import type { PayloadMode } from '@svc/contracts/webhook-subscription'
import type { Queryable } from '@svc/db/database'
import type { WebhookEventRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { type EnvelopeFacts, bodyOf, fullEnvelope, thinEnvelope } from './envelope.ts'
import { readDetails } from './event-details.ts'
import { EventSnapshot } from './event-snapshot.ts'

/** With the names that a full payload has. */
export type NamedEvent = WebhookEventRow & { workspace_name: string; project_name: string }

/** Over `webhook_events e`. */
export const namesOfEvent = sql`
  (select name from workspaces where id = e.workspace_id) as workspace_name,
  (select name from projects
    where workspace_id = e.workspace_id and id = e.project_id) as project_name`

/** What a payload of the event holds after its id. */
export async function makeBody(
  db: Queryable,
  event: NamedEvent,
  mode: PayloadMode,
): Promise<string> {
  const snapshot = EventSnapshot.parse(event.snapshot)
  const facts: EnvelopeFacts = {
    type: event.type,
    occurredAt: event.occurred_at,
    sequence: event.sequence,
    workspace: { id: event.workspace_id, name: event.workspace_name },
    project: { id: event.project_id, name: event.project_name },
    snapshot,
  }
  if (mode === 'thin') return bodyOf(thinEnvelope(facts))
  return bodyOf(fullEnvelope(facts, await readDetails(db, event, snapshot)))
}
