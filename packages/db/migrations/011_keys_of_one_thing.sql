-- Each index begins with what names one thing. Led by the workspace, it passes for the key of a row wherever a plan is
-- made while its table is small, and what keeps that plan then reads a whole workspace for each row.
drop index concurrently if exists missions_newest;

-- next step
create index concurrently if not exists missions_newest_of_project_next
  on missions (project_id, id);

-- next step
drop index concurrently if exists missions_newest_of_project;

-- next step
create unique index concurrently if not exists missions_sequence_project_id_workspace_id_key
  on missions (sequence, project_id, workspace_id);

-- next step
do $$ begin
  if exists (select from pg_constraint where conname = 'missions_workspace_id_project_id_sequence_key') then
    alter table missions
      drop constraint missions_workspace_id_project_id_sequence_key,
      add constraint missions_sequence_project_id_workspace_id_key
        unique using index missions_sequence_project_id_workspace_id_key;
  end if;
end $$;

-- next step
create unique index concurrently if not exists objectives_mission_id_key_workspace_id_key
  on objectives (mission_id, key, workspace_id);

-- next step
do $$ begin
  if exists (select from pg_constraint where conname = 'objectives_workspace_id_mission_id_key_key') then
    alter table objectives
      drop constraint objectives_workspace_id_mission_id_key_key,
      add constraint objectives_mission_id_key_workspace_id_key
        unique using index objectives_mission_id_key_workspace_id_key;
  end if;
end $$;

-- next step
-- Built under the lock: made beside the work, it would refuse what trades places within a transaction until it is
-- deferrable.
alter table objectives
  drop constraint if exists objectives_workspace_id_mission_id_position_key,
  drop constraint if exists objectives_mission_id_position_workspace_id_key,
  add unique (mission_id, position, workspace_id) deferrable initially deferred;

-- next step
create unique index concurrently if not exists execution_requests_one_live_next
  on execution_requests (objective_id, workspace_id)
  where status in ('queued', 'claimed', 'launching')
     or (status = 'launched' and outcome in ('running', 'parked'));

-- next step
drop index concurrently if exists execution_requests_one_live;

-- next step
create unique index concurrently if not exists execution_requests_claim_next
  on execution_requests (claim_id, workspace_id)
  where claim_id is not null;

-- next step
drop index concurrently if exists execution_requests_claim;

-- next step
create index concurrently if not exists execution_requests_of_objective_next
  on execution_requests (objective_id, seq);

-- next step
drop index concurrently if exists execution_requests_of_objective;

-- next step
create index concurrently if not exists execution_requests_of_mission_next
  on execution_requests (mission_id, seq);

-- next step
drop index concurrently if exists execution_requests_of_mission;

-- next step
-- Every number is above zero: only what asks for that, the list of a whole workspace, is given this index.
create index concurrently if not exists execution_requests_newest_next
  on execution_requests (workspace_id, seq) where seq > 0;

-- next step
drop index concurrently if exists execution_requests_newest;

-- next step
create unique index concurrently if not exists agent_sessions_one_live_next
  on agent_sessions (objective_id, workspace_id)
  where status in ('active', 'waiting_answer', 'stale');

-- next step
drop index concurrently if exists agent_sessions_one_live;

-- next step
create index concurrently if not exists agent_sessions_of_objective_next
  on agent_sessions (objective_id, seq);

-- next step
drop index concurrently if exists agent_sessions_of_objective;

-- next step
create index concurrently if not exists agent_sessions_of_request_next
  on agent_sessions (execution_request_id, seq)
  where execution_request_id is not null;

-- next step
drop index concurrently if exists agent_sessions_of_request;

-- next step
create unique index concurrently if not exists deliveries_objective_id_workspace_id_key
  on deliveries (objective_id, workspace_id);

-- next step
do $$ begin
  if exists (select from pg_constraint where conname = 'deliveries_workspace_id_objective_id_key') then
    alter table deliveries
      drop constraint deliveries_workspace_id_objective_id_key,
      add constraint deliveries_objective_id_workspace_id_key
        unique using index deliveries_objective_id_workspace_id_key;
  end if;
end $$;

-- next step
create index concurrently if not exists deliveries_of_mission_next
  on deliveries (mission_id, id);

-- next step
drop index concurrently if exists deliveries_of_mission;

-- next step
create index concurrently if not exists deliveries_of_session_next
  on deliveries (session_id);

-- next step
drop index concurrently if exists deliveries_of_session;

-- next step
create index concurrently if not exists artifacts_of_mission_next
  on artifacts (mission_id, id);

-- next step
drop index concurrently if exists artifacts_of_mission;

-- next step
create index concurrently if not exists artifacts_of_delivery_next
  on artifacts (delivery_id, id)
  where delivery_id is not null;

-- next step
drop index concurrently if exists artifacts_of_delivery;

-- next step
create unique index concurrently if not exists webhook_delivery_one_per_event_next
  on webhook_delivery (event_id, subscription_id, workspace_id) where kind = 'event';

-- next step
drop index concurrently if exists webhook_delivery_one_per_event;

-- next step
alter index missions_newest_of_project_next rename to missions_newest_of_project;
alter index execution_requests_one_live_next rename to execution_requests_one_live;
alter index execution_requests_claim_next rename to execution_requests_claim;
alter index execution_requests_of_objective_next rename to execution_requests_of_objective;
alter index execution_requests_of_mission_next rename to execution_requests_of_mission;
alter index execution_requests_newest_next rename to execution_requests_newest;
alter index agent_sessions_one_live_next rename to agent_sessions_one_live;
alter index agent_sessions_of_objective_next rename to agent_sessions_of_objective;
alter index agent_sessions_of_request_next rename to agent_sessions_of_request;
alter index deliveries_of_mission_next rename to deliveries_of_mission;
alter index deliveries_of_session_next rename to deliveries_of_session;
alter index artifacts_of_mission_next rename to artifacts_of_mission;
alter index artifacts_of_delivery_next rename to artifacts_of_delivery;
alter index webhook_delivery_one_per_event_next rename to webhook_delivery_one_per_event;
