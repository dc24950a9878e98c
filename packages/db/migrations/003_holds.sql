-- A provider's limit holds a run: the session of an agent that met one is parked, and a runner says which agents it does
-- not offer for it, and until when.
alter table agent_sessions
  drop constraint if exists agent_sessions_status_check,
  add constraint agent_sessions_status_check check
    (status in ('active', 'waiting_answer', 'stale', 'parked', 'lost', 'ended')) not valid;
-- those that it has and that its provider takes nothing from for now, as it reported with its last claim
alter table runners add column if not exists held_agents jsonb not null default '[]';

-- next step
alter table agent_sessions validate constraint agent_sessions_status_check;

-- next step
create unique index concurrently if not exists agent_sessions_one_there on agent_sessions (objective_id, workspace_id)
  where status in ('active', 'waiting_answer', 'stale', 'parked');

-- next step
drop index concurrently if exists agent_sessions_one_live;

-- next step
alter index agent_sessions_one_there rename to agent_sessions_one_live;
