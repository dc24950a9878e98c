import type { Database } from '@svc/db/database'
import { sql } from 'kysely'
import { agent } from './cycle.ts'
import { type Place, config, counted, missions, withoutChecks } from './fill.ts'

const chunk = 5_000
/** Older ones have lost their changes and their idempotency keys, which are kept for days. */
const recent = 5_000

/** Missions of one delivered objective, with all that belongs to them, spread over the places. */
export async function fillFinished(
  db: Database,
  places: readonly Place[],
  count: number,
): Promise<void> {
  for (let done = 0, turn = 0; done < count; done += chunk, turn += 1) {
    const place = places[turn % places.length]
    if (!place) throw new Error('name a place for the missions')
    const many = Math.min(chunk, count - done)
    await withoutChecks(db, finished(place, many, count - done <= recent))
  }
}

function finished(place: Place, count: number, isRecent: boolean) {
  const { workspaceId, projectId, userId } = place
  const workspace = sql`${workspaceId}::uuid`
  const user = sql`${userId}::uuid`
  return sql`
    with ${counted(place, count)},
    made as (select uuidv7() as mission, uuidv7() as objective, uuidv7() as request,
                    uuidv7() as session, uuidv7() as delivery, before + n as sequence
               from counted, generate_series(1, ${count}::int) n),
    m as (${missions(place, 'review', sql`made`)}),
    o as (insert into objectives (workspace_id, id, mission_id, key, position, title, instruction,
                                  state, assigned_agent, revision, created_by, completed_at)
          select ${workspace}, objective, mission, 'bnch', 1, 'Objective', repeat('Do it well. ', 20),
                 'complete', ${agent}, 4, ${user}, app.now() from made),
    r as (insert into execution_requests (workspace_id, id, project_id, mission_id, objective_id, kind,
            status, outcome, source, agent, config, generation, claim_id, requested_by, ended_at,
            prepared, process, exit)
          select ${workspace}, request, ${projectId}::uuid, mission, objective, 'run', 'launched',
                 'delivered', 'api', ${agent}, ${config}::jsonb, 1, gen_random_uuid(), ${user},
                 app.now(),
                 '{"workingDirectory": "/src/work", "branch": "svc/bench", "baseSha": null, "checkout": "own"}',
                 '{"pid": 4711, "pidStartedAt": "1", "argvRedacted": ["scripted"]}',
                 '{"exitCode": 0, "signal": null, "cause": "agent", "lastOutput": "bye"}' from made),
    s as (insert into agent_sessions (workspace_id, id, mission_id, objective_id, execution_request_id,
            generation, user_id, session_key_hash, agent_identifier, title, status, end_reason, ended_at)
          select ${workspace}, session, mission, objective, request, 1, ${user},
                 sha256(convert_to(session::text, 'UTF8')), ${agent}, 'Objective', 'ended', 'delivered',
                 app.now() from made),
    d as (insert into deliveries (workspace_id, id, mission_id, objective_id, session_id, summary,
                                  content_hash)
          select ${workspace}, delivery, mission, objective, session, 'Done, and checked by its tests.',
                 sha256(convert_to(delivery::text, 'UTF8')) from made),
    e as (insert into mission_events (workspace_id, id, mission_id, objective_id, type, summary,
                                      actor_id, actor_role)
          select ${workspace}, uuidv7(), mission, objective, 'execution_requested',
                 'Launch of the objective with its agent', ${user}, 'person'
            from made, generate_series(1, 8)),
    w as (insert into webhook_events (workspace_id, id, project_id, mission_id, type, snapshot,
                                     fanned_out_at)
          select ${workspace}, uuidv7(), ${projectId}::uuid, mission, 'mission:updated',
                 '{"mission": {"priority": "normal", "status": {"type": "review"}}}', app.now()
            from made, generate_series(1, 3)),
    c as (insert into entity_changes (workspace_id, project_id, mission_id, entity, entity_id, operation)
          select ${workspace}, ${projectId}::uuid, mission, 'objective', objective, 'update'
            from made, generate_series(1, 22) where ${isRecent}),
    k as (insert into idempotency_keys (workspace_id, owner, route, key_hash, body_hash, answer)
          select ${workspace}, ${user}, 'launchObjective',
                 sha256(convert_to(uuidv7()::text, 'UTF8')), '\\x00', repeat('x', 1500)
            from made, generate_series(1, 3) where ${isRecent})
    select 1`
}
