-- One clock for leases, schedules and expiry. Test databases replace the body by one that adds an offset.
create schema app;
create function app.now() returns timestamptz language sql stable parallel safe
  return statement_timestamp();

create table workspaces (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  created_at timestamptz not null default app.now()
);

create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  created_at timestamptz not null default app.now(),
  disabled_at timestamptz
);
create unique index users_email on users (lower(email));

create table memberships (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, user_id)
);

-- Found by token_hmac alone: the token is what names the workspace.
create table user_tokens (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null references users,
  kind text not null check (kind in ('minted', 'oauth')),
  preset text,
  scope_kind text not null check (scope_kind in ('full', 'scoped')),
  audiences text[] not null,
  project_ids uuid[],
  objective_id uuid,
  token_hmac bytea not null unique,
  hmac_kid text not null,
  prefix text not null,
  label text not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_reason text,
  primary key (workspace_id, id),
  check (scope_kind = 'scoped' or preset = 'full')
);

create table user_token_scopes (
  workspace_id uuid not null,
  token_id uuid not null,
  permission text not null,
  primary key (workspace_id, token_id, permission),
  foreign key (workspace_id, token_id) references user_tokens on delete cascade
);

create table projects (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  slug text not null check (slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'),
  name text not null,
  default_branch text not null default 'main',
  use_worktrees boolean not null default true,
  max_runtime_minutes integer check (max_runtime_minutes > 0),
  pre_command text,
  pre_launch_commands jsonb not null default '[]',
  launch_env_vars jsonb not null default '{}',
  agent_settings jsonb not null default '{}',
  mission_sequence integer not null default 0,
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (workspace_id, slug)
);

create table project_statuses (
  workspace_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  type text not null check (type in ('draft', 'execute', 'review', 'complete', 'blocked', 'cancelled')),
  label text not null,
  position integer not null,
  primary key (workspace_id, id),
  -- what a mission refers to, so that its status is one of its own project
  unique (workspace_id, project_id, id),
  unique (workspace_id, project_id, position) deferrable initially deferred,
  foreign key (workspace_id, project_id) references projects
);

create table project_resources (
  workspace_id uuid not null,
  project_id uuid not null,
  resource_key text not null,
  permission text not null check (permission in ('rw', 'ro')),
  is_primary boolean not null default false,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, project_id, resource_key),
  foreign key (workspace_id, project_id) references projects
);
create unique index project_resources_one_primary on project_resources (workspace_id, project_id)
  where is_primary;

create table runners (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null references users,
  fingerprint text not null,
  label text not null,
  platform text not null,
  arch text not null,
  instance_id uuid not null,
  version text not null,
  agents jsonb not null,
  capacity jsonb not null,
  last_heard_at timestamptz not null,
  removed_at timestamptz,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (workspace_id, user_id, fingerprint)
) with (fillfactor = 70);

-- What a runner says of its checkouts; no foreign key to the resource, which may be unlinked meanwhile.
create table runner_resources (
  workspace_id uuid not null,
  runner_id uuid not null,
  project_id uuid not null,
  resource_key text not null,
  path text not null,
  state text not null check (state in ('usable', 'missing', 'unreadable', 'not_a_repository')),
  primary key (workspace_id, runner_id, project_id, resource_key),
  foreign key (workspace_id, runner_id) references runners on delete cascade
);
create index runner_resources_usable on runner_resources (workspace_id, project_id, resource_key)
  where state = 'usable';

create table missions (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  sequence integer not null,
  title text not null,
  status_id uuid not null,
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  active_branch text,
  allow_parallel_objectives boolean not null default false,
  auto_advance boolean not null default false,
  -- whose right to launch an advance is checked by
  auto_advance_set_by uuid references users,
  -- a delivery whose follow-up failed; the sweep tries again
  advance_owed_by uuid,
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  deleted_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, project_id, sequence),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, project_id, status_id)
    references project_statuses (workspace_id, project_id, id),
  check (not auto_advance or auto_advance_set_by is not null)
);
create index missions_newest on missions (workspace_id, created_at desc, id desc) where deleted_at is null;
create index missions_advance_owed on missions (id) where advance_owed_by is not null;

create table objectives (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  key text not null,
  position integer,
  title text not null,
  instruction text not null,
  state text not null check
    (state in ('draft', 'submitted', 'launching', 'executing', 'complete', 'awaiting_approval')),
  prior_state text check (prior_state in ('draft', 'submitted', 'awaiting_approval')),
  -- holds the mission's one slot while it is active; copied because an index sees one table
  serial boolean not null default false,
  last_outcome text check (last_outcome in ('lost', 'exited', 'cancelled', 'question_expired')),
  assigned_agent text,
  model text,
  reasoning_effort text,
  resource_key text,
  branch text,
  approval_refusal jsonb,
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  completed_at timestamptz,
  deleted_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, mission_id, key),
  unique (workspace_id, mission_id, position) deferrable initially deferred,
  foreign key (workspace_id, mission_id) references missions,
  check ((position is null) = (deleted_at is not null)),
  check (state <> 'launching' or prior_state is not null)
);
create unique index objectives_one_active on objectives (workspace_id, mission_id)
  where state in ('launching', 'executing') and serial;

create table execution_requests (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  kind text not null check (kind in ('run', 'resume')),
  status text not null check
    (status in ('queued', 'claimed', 'launching', 'launched', 'failed', 'cancelled', 'expired')),
  outcome text check (outcome in ('running', 'parked', 'delivered', 'exited', 'lost', 'cancelled')),
  source text not null,
  agent text not null,
  resource_key text,
  config jsonb not null,
  attempt integer not null default 1,
  generation integer not null default 0,
  claim_id uuid,
  runner_id uuid,
  lease_expires_at timestamptz,
  lease_renewed_at timestamptz,
  run_after timestamptz not null default app.now(),
  attach_by timestamptz,
  cancel_requested_at timestamptz,
  failure jsonb,
  last_release jsonb,
  prepared jsonb,
  process jsonb,
  exit jsonb,
  advanced_by_delivery_id uuid,
  requested_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  foreign key (workspace_id, runner_id) references runners,
  check ((status = 'launched') = (outcome is not null)),
  check (status <> 'queued' or lease_expires_at is null)
) with (fillfactor = 70);
create unique index execution_requests_one_live on execution_requests (workspace_id, objective_id)
  where status in ('queued', 'claimed', 'launching')
     or (status = 'launched' and outcome in ('running', 'parked'));
create unique index execution_requests_one_advance
  on execution_requests (workspace_id, advanced_by_delivery_id)
  where advanced_by_delivery_id is not null;
create unique index execution_requests_claim on execution_requests (workspace_id, claim_id)
  where claim_id is not null;
create index execution_requests_queue on execution_requests (created_at, id) where status = 'queued';
create index execution_requests_leased on execution_requests (id)
  where status in ('claimed', 'launching') or (status = 'launched' and ended_at is null);
create index execution_requests_of_mission on execution_requests (workspace_id, mission_id, created_at);

create table agent_sessions (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  execution_request_id uuid,
  generation integer,
  user_id uuid not null references users,
  session_key_hash bytea not null unique,
  agent_identifier text not null,
  model_identifier text,
  external_session_id text,
  title text not null,
  phase text not null default 'execute' check (phase in ('execute', 'review')),
  status text not null default 'active' check
    (status in ('active', 'waiting_answer', 'stale', 'lost', 'ended')),
  end_reason text check (end_reason in ('delivered', 'exited', 'superseded', 'cancelled')),
  attached_at timestamptz not null default app.now(),
  last_heard_at timestamptz not null default app.now(),
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  foreign key (workspace_id, execution_request_id) references execution_requests,
  check ((status = 'ended') = (end_reason is not null))
) with (fillfactor = 70);
create unique index agent_sessions_one_live on agent_sessions (workspace_id, objective_id)
  where status in ('active', 'waiting_answer', 'stale');
create index agent_sessions_listened on agent_sessions (id) where status in ('active', 'stale');
create index agent_sessions_of_request on agent_sessions (workspace_id, execution_request_id);

create table deliveries (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  session_id uuid,
  summary text not null check (length(summary) between 1 and 20000),
  report jsonb,
  content_hash bytea not null,
  warnings jsonb not null default '[]',
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (workspace_id, objective_id),
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  foreign key (workspace_id, session_id) references agent_sessions
);
create index deliveries_of_mission on deliveries (workspace_id, mission_id, id);

create table artifacts (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  objective_id uuid,
  delivery_id uuid,
  type text not null,
  label text not null,
  content_text text,
  external_url text,
  revision integer not null default 1,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  foreign key (workspace_id, delivery_id) references deliveries,
  check (content_text is not null or external_url is not null)
);
create index artifacts_of_mission on artifacts (workspace_id, mission_id, id);

-- Ledgers. No foreign key to missions or objectives: a report must never wait on a reorder. Decision 14.
create table ledger_batches (
  workspace_id uuid not null,
  objective_id uuid not null,
  batch_id uuid not null,
  mission_id uuid not null,
  session_id uuid not null,
  seq integer not null,
  items jsonb not null,
  answer jsonb not null,
  received_at timestamptz not null default app.now(),
  drained_at timestamptz,
  primary key (workspace_id, objective_id, batch_id)
);

create table changed_files (
  workspace_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  file_path text not null,
  vcs_status text not null check
    (vcs_status in ('added', 'modified', 'deleted', 'renamed', 'copied', 'untracked')),
  observed_at timestamptz not null default app.now(),
  primary key (workspace_id, mission_id, objective_id, file_path)
);

create table change_rationales (
  workspace_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  file_path text not null,
  label text not null,
  summary text not null,
  why text not null,
  impact text not null,
  hunks jsonb,
  delivery_id uuid,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, mission_id, objective_id, file_path)
);

create table mission_events (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  objective_id uuid,
  type text not null,
  summary text not null,
  data jsonb not null default '{}',
  actor_id uuid,
  actor_role text not null check (actor_role in ('person', 'agent', 'runner', 'service')),
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id)
);
create index mission_events_of_mission on mission_events (workspace_id, mission_id, id);

-- What the live feed reads, in order of transaction. Decision 54.
create table entity_changes (
  workspace_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  project_id uuid,
  mission_id uuid,
  entity text not null,
  entity_id uuid not null,
  operation text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, xid, seq)
);
create index entity_changes_of_mission on entity_changes (workspace_id, mission_id, xid, seq);
create index entity_changes_age on entity_changes (created_at);

create table run_log_chunks (
  workspace_id uuid not null,
  execution_request_id uuid not null,
  generation integer not null,
  start_offset bigint not null,
  skipped bigint not null default 0,
  bytes bytea not null,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, execution_request_id, generation, start_offset),
  foreign key (workspace_id, execution_request_id) references execution_requests
);

create table run_diffs (
  workspace_id uuid not null,
  execution_request_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  diff jsonb not null,
  updated_at timestamptz not null default app.now(),
  primary key (workspace_id, execution_request_id),
  foreign key (workspace_id, execution_request_id) references execution_requests
);

create table idempotency_keys (
  workspace_id uuid not null,
  owner uuid not null,
  route text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  answer jsonb,
  -- an answer that holds a secret: encrypted, and kept for minutes only
  answer_secret bytea,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, owner, route, key_hash)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- The outbox. The event and its job are written in the transaction of the change that they tell of.
create table webhook_event (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  mission_id uuid not null,
  type text not null,
  occurred_at timestamptz not null default app.now(),
  snapshot jsonb not null,
  fanned_out_at timestamptz,
  swept_at timestamptz,
  sweeps integer not null default 0,
  primary key (workspace_id, id)
);
create index webhook_event_waiting on webhook_event (id) where fanned_out_at is null;

-- One row: changes of transactions below this one are no longer kept; an older cursor must start anew.
create table feed_floor (
  single boolean primary key default true check (single),
  xid xid8 not null default '0'
);
insert into feed_floor default values;

-- One row: when the sweep last looked. A longer gap is our own outage and not a runner's silence.
create table sweep_state (
  single boolean primary key default true check (single),
  last_pass_at timestamptz not null
);
insert into sweep_state (last_pass_at) values (app.now());

-- One row: sealed under the key ring, opened by the readiness check.
create table key_canary (
  single boolean primary key default true check (single),
  sealed bytea not null
);
