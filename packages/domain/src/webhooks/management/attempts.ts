import type { Queryable } from '@svc/db/database'
import type { WebhookAttemptRow, WebhookDeliveryRow } from '@svc/db/tables'
import { sql } from 'kysely'

/** The newest attempt that passes this is the last that is shown with the answer it got. */
const answerBytes = 1024 * 1024

/** In order. Of a delivery that was sent again and again, the oldest attempts come without what was answered. */
export async function listAttempts(
  db: Queryable,
  delivery: WebhookDeliveryRow,
): Promise<WebhookAttemptRow[]> {
  const { rows } = await sql<WebhookAttemptRow>`
    with attempts as materialized (
      select * from webhook_attempts
       where workspace_id = ${delivery.workspace_id} and delivery_id = ${delivery.id}),
    sized as (
      select attempts.*,
             coalesce(sum(octet_length(response_body) + octet_length(response_headers::text))
               over (order by attempt desc, ended_at desc, claim desc
                     rows between unbounded preceding and 1 preceding), 0) < ${answerBytes} as is_shown
        from attempts)
    select workspace_id, delivery_id, job_id, claim, attempt, trigger, mode, started_at, ended_at, outcome,
           error, phase, status, duration_ms, address,
           case when is_shown then response_headers else '{}' end as response_headers,
           case when is_shown then response_body end as response_body,
           response_truncated or (not is_shown and response_body is not null) as response_truncated
      from sized order by attempt, ended_at, claim`.execute(db)
  return rows
}
