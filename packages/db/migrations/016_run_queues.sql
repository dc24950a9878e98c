-- Run queues: objectives of a project in the order in which deliveries launch them. Decision 35.
create table run_queues (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  position integer not null,
  -- always there, always first
  is_default boolean not null default false,
  paused_at timestamptz,
  -- a person paused it, or the end of a run did
  paused_by uuid references users,
  pause_reason text check (pause_reason in
    ('run_failed', 'run_lost', 'run_exited', 'run_cancelled', 'question_expired')),
  -- a delivery owes it one launch; a debt is one, and never counted
  advance_owed_since timestamptz,
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (workspace_id, project_id, position) deferrable initially deferred,
  foreign key (workspace_id, project_id) references projects,
  check (num_nonnulls(paused_by, pause_reason) = num_nonnulls(paused_at)),
  check (is_default = (position = 1))
);
create unique index run_queues_name on run_queues (workspace_id, project_id, lower(name));
-- what a planner looks for, in all workspaces
create index run_queues_owing on run_queues (workspace_id, id)
  where advance_owed_since is not null and paused_at is null;

create table run_queue_entries (
  workspace_id uuid not null,
  id uuid not null,
  run_queue_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  position integer not null,
  state text not null check (state in ('waiting', 'held', 'dispatched', 'running')),
  -- why it is not launched now
  reason text,
  waiting_on jsonb,
  -- how often it was dispatched
  attempt integer not null default 0,
  -- who said that it is next, whatever the queue is owed
  turn_granted_by uuid references users,
  queued_by uuid not null references users,
  execution_request_id uuid,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (objective_id, workspace_id),
  unique (run_queue_id, position, workspace_id) deferrable initially deferred,
  foreign key (workspace_id, run_queue_id) references run_queues,
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  check ((state in ('waiting', 'held')) = (reason is not null)),
  check (state in ('waiting', 'held') or execution_request_id is not null)
);
create unique index run_queue_entries_one_in_flight on run_queue_entries (run_queue_id, workspace_id)
  where state in ('dispatched', 'running');
create index run_queue_entries_of_mission on run_queue_entries (mission_id, workspace_id);
create index run_queue_entries_granted on run_queue_entries (run_queue_id, workspace_id)
  where turn_granted_by is not null and state = 'waiting';
create index run_queue_entries_in_flight on run_queue_entries (workspace_id, id)
  where state in ('dispatched', 'running');

-- the queue that the objective's delivery owes an advance
alter table objectives add column owes_queue_id uuid;

-- One dispatch makes one request, however many planners race.
alter table execution_requests add column run_queue_entry_id uuid;
alter table execution_requests add column run_queue_attempt integer;
create unique index execution_requests_one_dispatch
  on execution_requests (workspace_id, run_queue_entry_id, run_queue_attempt)
  where run_queue_entry_id is not null;

insert into run_queues (workspace_id, id, project_id, name, position, is_default, created_by)
select workspace_id, gen_random_uuid(), id, 'Default', 1, true, created_by from projects;
