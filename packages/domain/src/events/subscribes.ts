import { sql } from 'kysely'

/** Whether `s`, a webhook, is to hear of `e`, an event, by workspace, type and project; a disabled one is, too. */
export const subscribes = sql<boolean>`
  s.workspace_id = e.workspace_id and e.type = any(s.event_types)
  and (s.project_id is null or s.project_id = e.project_id) and s.deleted_at is null`
