import type { Database } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'

interface Owner {
  workspaceId: string
  userId: string
}

/**
 * So many missions of one objective, with what belongs to them, every twentieth still at work: what the tables of a
 * service look like after a year. Times and the ids that start with them lie in the past hundred days.
 */
export async function fill(
  db: Database,
  { workspaceId, userId }: Owner,
  missions: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // the rows agree with one another; asking every foreign key for them would take most of the time
    await sql`set local session_replication_role = replica`.execute(tx)
    const statements = [
      sql`insert into projects (workspace_id, id, slug, name, mission_sequence, created_by)
          values (${workspaceId}, ${projectId}, 'filled', 'Filled', ${missions}, ${userId})`,
      sql`insert into project_statuses (workspace_id, project_id, id, type, label, position)
          select ${workspaceId}, ${projectId}, gen_random_uuid(), type, type, place
            from unnest(array['draft', 'execute', 'review', 'complete', 'blocked', 'cancelled'])
                 with ordinality as t(type, place)`,
      sql`create temporary table made on commit drop as
          select n, ${idAt(sql`at`)} as mission, ${idAt(sql`at`)} as objective, ${idAt(sql`at`)} as id, at,
                 n % 20 = 0 as live
            from (select n, ${now} - make_interval(days => 100) * (1 - n * 1.0 / ${missions}) as at
                    from generate_series(1, ${missions}) n) numbered`,
      sql`insert into missions (workspace_id, id, project_id, sequence, title, status_id, priority,
                                created_by, in_review_since, addressed_to, budget_runs, launches)
          select ${workspaceId}, mission, ${projectId}, n, 'Mission ' || n, s.id, 'normal', ${userId},
                 case when s.type = 'review' then at end, case when n % 200 = 2 then ${userId}::uuid end,
                 case when n % 50 = 1 then 1 + n % 4 end, 1
            from made, project_statuses s
           where s.workspace_id = ${workspaceId} and s.project_id = ${projectId}
             and s.type = case when live then 'execute' else
                   coalesce((array['draft', 'review', 'blocked', 'cancelled'])[n % 100], 'complete') end`,
      sql`insert into objectives (workspace_id, id, mission_id, key, position, title, instruction, state,
                                  created_by, completed_at, need, need_since, addressed_to)
          select ${workspaceId}, objective, mission, 'k1', 1, 'Objective', 'Do it.',
                 case when live then 'executing' when need is null then 'complete'
                      when need = 'stopped' then 'submitted' else need end, ${userId},
                 case when not live then at end, need, case when need is not null then at end,
                 case when n % 200 < 100 then ${userId}::uuid end
            from (select made.*, (array['stopped', null, 'awaiting_approval'])[n % 100] as need from made) made`,
      sql`insert into mission_words (workspace_id, mission_id, text_id, words)
          select ${workspaceId}, mission, text, array_to_tsvector(app.words_of(${workspaceId}, told))
            from made, lateral (values (mission, 'Mission ' || n), (objective, 'Mission ' || n || ' Objective Do it.'))
                       as texts(text, told)`,
      sql`insert into runners (workspace_id, id, user_id, fingerprint, label, platform, arch, instance_id,
                               version, agents, capacity, last_heard_at)
          values (${workspaceId}, ${runnerId}, ${userId}, 'filled', 'filled', 'linux', 'x64', ${runnerId}, '1',
                  '[]', '{"max": 1, "running": 1}', ${now})`,
      sql`insert into execution_requests (workspace_id, id, project_id, runner_id, mission_id, objective_id, kind,
                                          status, outcome, source, agent, config, generation, claim_id,
                                          requested_by, created_at, ended_at, lease_expires_at)
          select ${workspaceId}, id, ${projectId}, ${runnerId}, mission, objective, 'run', 'launched',
                 case when live then 'running' else 'delivered' end, 'api', 'scripted', ${JSON.stringify(config)}, 1,
                 gen_random_uuid(), ${userId}, at, case when not live then at end,
                 case when live then ${now} + interval '1 day' end from made`,
      // as many as if each run had a model of its own
      sql`insert into usage_weeks (workspace_id, week, project_id, agent, model, runs, runs_without_usd,
                                   runs_without_tokens, input_tokens, output_tokens, millionths, seconds)
          select ${workspaceId}, date_trunc('week', at, 'UTC'), ${projectId}, 'scripted', n::text, 1, 1, 0, 1, 1,
                 0, 1 from made`,
      sql`insert into agent_sessions (workspace_id, id, mission_id, objective_id, execution_request_id,
                                      generation, user_id, session_key_hash, agent_identifier, title,
                                      status, end_reason, ended_at)
          select ${workspaceId}, id, mission, objective, id, 1, ${userId}, sha256(id::text::bytea),
                 'scripted', 'Session', case when live then 'active' else 'ended' end,
                 case when not live then 'delivered' end, case when not live then at end from made`,
      sql`insert into questions (workspace_id, id, project_id, mission_id, objective_id, session_id,
                                 agent_identifier, question, allow_free_text, status, answer_text,
                                 answered_by, answered_at, asked_at, expires_at, closed_at)
          select ${workspaceId}, id, ${projectId}, mission, objective, id, 'scripted', 'Tabs?', true,
                 'delivered', 'Spaces.', ${userId}, at, at, at + interval '14 days', at from made`,
      sql`insert into deliveries (workspace_id, id, mission_id, objective_id, session_id, summary,
                                  content_hash, created_at)
          select ${workspaceId}, id, mission, objective, id, 'Done.', '\\x00', at from made where not live`,
      sql`insert into artifacts (workspace_id, id, mission_id, objective_id, delivery_id, type, label,
                                 content_text)
          select ${workspaceId}, id, mission, objective, id, 'next_steps', 'Next', 'Merge it.' from made
           where not live`,
      sql`insert into changed_files (workspace_id, mission_id, objective_id, file_path, vcs_status)
          select ${workspaceId}, mission, objective, 'a.ts', 'modified' from made`,
      sql`insert into run_diffs (workspace_id, execution_request_id, mission_id, objective_id, diff, report, files)
          select ${workspaceId}, id, mission, objective, '{}', 'r', 1 from made`,
      sql`insert into run_files (workspace_id, execution_request_id, report, position, file_path, additions, deletions)
          select ${workspaceId}, id, 'r', 0, 'a.ts', 1, 0 from made`,
      sql`insert into run_log_chunks (workspace_id, execution_request_id, generation, start_offset, bytes)
          select ${workspaceId}, id, 1, 0, '\\x00' from made`,
      sql`insert into run_logs (workspace_id, execution_request_id, generation, end_offset, kept_bytes)
          select ${workspaceId}, id, 1, 1, 1 from made`,
      sql`insert into run_log_ends (workspace_id, execution_request_id, project_id, mission_id, objective_id,
                                    generation, end_offset, updated_at)
          select ${workspaceId}, id, ${projectId}, mission, objective, 1, 1, at from made`,
      sql`insert into mission_events (workspace_id, id, mission_id, objective_id, type, summary,
                                      actor_role, created_at)
          select ${workspaceId}, id, mission, objective, 'update', 'A step is done.', 'agent', at
            from made`,
      sql`insert into entity_changes (workspace_id, mission_id, entity, entity_id, operation, created_at)
          select ${workspaceId}, mission, 'objective', objective, 'deliver', at
            from made`,
      sql`insert into idempotency_keys (workspace_id, owner, route, key_hash, body_hash, created_at)
          select ${workspaceId}, ${userId}, 'x', sha256(id::text::bytea), '\\x00',
                 ${now} - interval '1 day' * random() from made`,
      sql`insert into webhook_events (workspace_id, id, project_id, mission_id, type, snapshot,
                                     occurred_at, fanned_out_at)
          select ${workspaceId}, id, ${projectId}, mission, 'mission.delivered', '{}', at,
                 case when not live then at end from made`,
      sql`insert into webhook_bodies (workspace_id, event_id, mode, bytes)
          select ${workspaceId}, id, 'thin', '\\x00' from made`,
      sql`insert into webhook_deliveries (workspace_id, id, subscription_id, kind, event_id, event_type,
                                        mode, state, attempts, epoch, created_at, settled_at)
          select ${workspaceId}, id, ${subscriptionId}, 'event', id, 'mission.delivered', 'thin',
                 'delivered', 1, 1, at, at from made`,
      sql`insert into webhook_attempts (workspace_id, delivery_id, job_id, claim, attempt, trigger, outcome)
          select ${workspaceId}, id, id, 0, 1, 'schedule', 'delivered' from made`,
      sql`insert into user_tokens (workspace_id, id, user_id, kind, scope_kind, preset, audiences,
                                   token_hmac, hmac_kid, prefix, label, expires_at)
          select ${workspaceId}, gen_random_uuid(), ${userId}, 'minted', 'full', 'full', '{api}',
                 sha256(gen_random_uuid()::text::bytea), 'k', 'p', 'l', ${now} + interval '9 days'
            from made where n % 10 = 0`,
      // rows of applications that are neither expired nor used up
      sql`insert into oauth_clients (id, name, redirect_uris, metadata_hash, network, created_at, kept_until)
          select id::text, 'Filled', '{https://client.example/cb}', sha256(id::text::bytea), id::text, at,
                 ${now} + interval '900 days'
            from made where n % 10 = 0`,
      sql`insert into user_tokens (workspace_id, id, user_id, kind, scope_kind, preset, audiences, client_id,
                                   token_hmac, hmac_kid, prefix, label, expires_at)
          select ${workspaceId}, id, ${userId}, 'oauth', 'scoped', 'mission_lifecycle', '{mcp}', id::text,
                 sha256(id::text::bytea), 'k', 'p', 'l', ${now} + interval '900 days'
            from made where n % 10 = 0`,
      sql`insert into oauth_requests (id, handle_hash, client_id, client_name, redirect_uri, code_challenge,
                                      resource, expires_at, code_hash, code_expires_at, approved_in, grant_id)
          select id, sha256(id::text::bytea), id::text, 'Filled', 'https://client.example/cb', 'c',
                 'r', ${now} + interval '900 days', sha256(objective::text::bytea),
                 ${now} + interval '900 days', ${workspaceId}, id
            from made where n % 10 = 0`,
      sql`insert into audit_trail (workspace_id, id, created_at, actor_id, by_kind, token_id, action, project_id,
                                   target_id, details)
          select ${workspaceId}, id, at, case when n % 100 = 0 then ${userId}::uuid else gen_random_uuid() end,
                 'token', id, case when n % 50 = 0 then 'mission.deleted' else 'sign_in.started' end, ${projectId},
                 mission, '{}' from made`,
      sql`insert into inbox_items (workspace_id, id, user_id, title, mission_id, done_at)
          select ${workspaceId}, id, case when n % 100 = 0 then ${userId}::uuid else gen_random_uuid() end,
                 'Item', mission, at from made`,
      sql`insert into notifications (workspace_id, id, user_id, kind, key, title, link, next, read_at)
          select ${workspaceId}, id, case when n % 100 = 0 then ${userId}::uuid else gen_random_uuid() end,
                 'test', id::text, 'Told', '/', '{"operation": "listNotifications", "params": {}}', at from made`,
    ]
    for (const statement of statements) await statement.execute(tx)
  })
}

/** Each workspace has a project, a subscription and a runner of these ids. */
const projectId = '00000000-0000-7000-8000-00000000000a'
const subscriptionId = '00000000-0000-7000-8000-00000000000b'
const runnerId = '00000000-0000-7000-8000-00000000000c'

/** Asked once a statement, not for each row. */
const now = sql`(select app.now())`

const byDefault = { value: null, source: 'default' }
const config = {
  agent: { value: 'scripted', source: 'request' },
  model: byDefault,
  reasoningEffort: byDefault,
  preCommand: byDefault,
  flags: { value: [], source: 'default' },
}

/** An id that starts with its time in milliseconds, as those of the service do. */
function idAt(at: RawBuilder<unknown>) {
  return sql`overlay(overlay(md5(random()::text) placing '8' from 17 for 1) placing
    lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' from 1 for 13)::uuid`
}
