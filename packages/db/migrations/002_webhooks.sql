create table webhook_subscription (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  endpoint_url text not null,
  event_types text[] not null check (cardinality(event_types) > 0),
  -- null: every project of the workspace
  project_id uuid,
  payload_mode text not null check (payload_mode in ('thin', 'full')),
  -- sealed under the key ring, with table, workspace and id as its context; gone with the subscription
  secret_ciphertext bytea,
  consecutive_failures integer not null default 0,
  -- what has been told of the present run of failures
  warned boolean not null default false,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('failures', 'manual')),
  -- raised by every re-enabling, so that failures from before it do not count
  epoch integer not null default 1,
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  deleted_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, project_id) references projects,
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((secret_ciphertext is null) = (deleted_at is not null))
) with (fillfactor = 70);

-- The bytes of a payload after its leading id: one row serves every subscriber of that mode.
create table webhook_body (
  workspace_id uuid not null,
  event_id uuid not null,
  mode text not null check (mode in ('thin', 'full')),
  bytes bytea not null,
  primary key (workspace_id, event_id, mode)
);

-- One per event and matching subscription; its id is the idempotency key of the receiver.
create table webhook_delivery (
  workspace_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  kind text not null check (kind in ('event', 'ping')),
  -- null for a ping; no foreign key, since events are forgotten before deliveries are
  event_id uuid,
  event_type text not null,
  mode text not null check (mode in ('thin', 'full')),
  state text not null check (state in ('pending', 'delivered', 'failed', 'held', 'canceled')),
  -- finished ones that count
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  -- the job that the schedule waits for
  job_id uuid,
  -- jobs made so far, for names that are used once
  jobs integer not null default 0,
  epoch integer not null,
  created_at timestamptz not null default app.now(),
  settled_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, subscription_id) references webhook_subscription,
  check ((kind = 'ping') = (event_id is null)),
  check (kind = 'ping' or (state = 'pending') = (next_attempt_at is not null and job_id is not null))
) with (fillfactor = 80);
create unique index webhook_delivery_one_per_event
  on webhook_delivery (workspace_id, event_id, subscription_id) where kind = 'event';
create index webhook_delivery_log on webhook_delivery (workspace_id, subscription_id, id);
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where state = 'pending';
create index webhook_delivery_held on webhook_delivery (id) where state = 'held';

-- One per claim of a job that left a trace; `claim` counts from 0 within its job.
create table webhook_attempt (
  workspace_id uuid not null,
  delivery_id uuid not null,
  job_id uuid not null,
  claim integer not null,
  attempt integer not null,
  trigger text not null check (trigger in ('schedule', 'ping')),
  started_at timestamptz,
  ended_at timestamptz not null default app.now(),
  outcome text not null check
    (outcome in ('delivered', 'failed', 'not_sent', 'unknown_outcome', 'superseded')),
  -- why it is no success: http_500, timeout, blocked_address, …
  error text,
  -- of a timeout: what was being waited for
  phase text,
  status integer,
  duration_ms integer,
  address text,
  response_headers jsonb not null default '{}',
  response_body text,
  response_truncated boolean not null default false,
  primary key (workspace_id, delivery_id, job_id, claim)
);

-- Addressed to a person; `key` is what it tells of, once.
create table notifications (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null references users,
  kind text not null,
  key text not null,
  title text not null,
  link text not null,
  created_at timestamptz not null default app.now(),
  read_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, user_id, key)
);
