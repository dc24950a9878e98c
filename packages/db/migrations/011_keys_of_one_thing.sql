-- Each index begins with what names one thing. Led by the workspace, it passes for the key of a row wherever a plan is
-- made while its table is small, and what keeps that plan then reads a whole workspace for each row.
drop index missions_newest;
drop index missions_newest_of_project;
create index missions_newest_of_project on missions (project_id, id);
alter table missions
  drop constraint missions_workspace_id_project_id_sequence_key,
  add unique (sequence, project_id, workspace_id);

alter table objectives
  drop constraint objectives_workspace_id_mission_id_key_key,
  drop constraint objectives_workspace_id_mission_id_position_key,
  add unique (mission_id, key, workspace_id),
  add unique (mission_id, position, workspace_id) deferrable initially deferred;

drop index execution_requests_one_live;
create unique index execution_requests_one_live on execution_requests (objective_id, workspace_id)
  where status in ('queued', 'claimed', 'launching')
     or (status = 'launched' and outcome in ('running', 'parked'));
drop index execution_requests_claim;
create unique index execution_requests_claim on execution_requests (claim_id, workspace_id)
  where claim_id is not null;
drop index execution_requests_of_objective;
create index execution_requests_of_objective on execution_requests (objective_id, seq);
drop index execution_requests_of_mission;
create index execution_requests_of_mission on execution_requests (mission_id, seq);
-- Every number is above zero: only what asks for that, the list of a whole workspace, is given this index.
drop index execution_requests_newest;
create index execution_requests_newest on execution_requests (workspace_id, seq) where seq > 0;

drop index agent_sessions_one_live;
create unique index agent_sessions_one_live on agent_sessions (objective_id, workspace_id)
  where status in ('active', 'waiting_answer', 'stale');
drop index agent_sessions_of_objective;
create index agent_sessions_of_objective on agent_sessions (objective_id, seq);
drop index agent_sessions_of_request;
create index agent_sessions_of_request on agent_sessions (execution_request_id, seq)
  where execution_request_id is not null;

alter table deliveries
  drop constraint deliveries_workspace_id_objective_id_key,
  add unique (objective_id, workspace_id);
drop index deliveries_of_mission;
create index deliveries_of_mission on deliveries (mission_id, id);
drop index deliveries_of_session;
create index deliveries_of_session on deliveries (session_id);
drop index artifacts_of_mission;
create index artifacts_of_mission on artifacts (mission_id, id);
drop index artifacts_of_delivery;
create index artifacts_of_delivery on artifacts (delivery_id, id) where delivery_id is not null;

drop index webhook_delivery_one_per_event;
create unique index webhook_delivery_one_per_event
  on webhook_delivery (event_id, subscription_id, workspace_id) where kind = 'event';
