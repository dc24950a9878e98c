-- Look-ups of tables that grow, each by what it asks for.
create index concurrently if not exists artifacts_of_delivery on artifacts (workspace_id, delivery_id, id)
  where delivery_id is not null;

-- next step
create index concurrently if not exists deliveries_of_session on deliveries (workspace_id, session_id);

-- next step
create index concurrently if not exists run_diffs_of_mission on run_diffs (workspace_id, mission_id);

-- next step
create index concurrently if not exists missions_newest_of_project on missions (workspace_id, project_id, id)
  where deleted_at is null;

-- next step
-- What the sweep looks for, in all workspaces: each holds only what is still to end.
create index concurrently if not exists execution_requests_to_attach on execution_requests (attach_by)
  where status = 'launched' and attach_by is not null;

-- next step
-- as the predicate of the runs under way is written, so that it is found by it
create index concurrently if not exists execution_requests_leased_next on execution_requests (workspace_id, id)
  where status in ('claimed', 'launching', 'launched') and ended_at is null;

-- next step
drop index concurrently if exists execution_requests_leased;

-- next step
create index concurrently if not exists agent_sessions_listened_next on agent_sessions (workspace_id, id)
  where status in ('active', 'stale');

-- next step
drop index concurrently if exists agent_sessions_listened;

-- next step
create index concurrently if not exists agent_sessions_alone on agent_sessions (workspace_id, id)
  where status in ('active', 'stale') and execution_request_id is null;

-- next step
create index concurrently if not exists objectives_launching on objectives (workspace_id, id)
  where state = 'launching';

-- next step
create index concurrently if not exists idempotency_keys_secret on idempotency_keys (created_at)
  where answer_secret is not null;

-- next step
alter index execution_requests_leased_next rename to execution_requests_leased;
alter index agent_sessions_listened_next rename to agent_sessions_listened;
