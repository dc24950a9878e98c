-- Look-ups of tables that grow, each by what it asks for.
create index artifacts_of_delivery on artifacts (workspace_id, delivery_id, id)
  where delivery_id is not null;
create index deliveries_of_session on deliveries (workspace_id, session_id);
create index run_diffs_of_mission on run_diffs (workspace_id, mission_id);
create index missions_newest_of_project on missions (workspace_id, project_id, id) where deleted_at is null;

-- What the sweep looks for, in all workspaces: each holds only what is still to end.
create index execution_requests_to_attach on execution_requests (attach_by)
  where status = 'launched' and attach_by is not null;
-- as the predicate of the runs under way is written, so that it is found by it
drop index execution_requests_leased;
create index execution_requests_leased on execution_requests (workspace_id, id)
  where status in ('claimed', 'launching', 'launched') and ended_at is null;
drop index agent_sessions_listened;
create index agent_sessions_listened on agent_sessions (workspace_id, id)
  where status in ('active', 'stale');
create index agent_sessions_alone on agent_sessions (workspace_id, id)
  where status in ('active', 'stale') and execution_request_id is null;
create index objectives_launching on objectives (workspace_id, id) where state = 'launching';
create index idempotency_keys_secret on idempotency_keys (created_at) where answer_secret is not null;
