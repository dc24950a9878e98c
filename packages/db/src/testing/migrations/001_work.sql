-- A schema of the tests' own: what a service writes all day, and what later versions make of it.
create table runs (
  workspace_id uuid not null,
  id uuid not null,
  list_id uuid not null,
  position integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, list_id, position) deferrable initially deferred
);
create index runs_of_list on runs (workspace_id, list_id, created_at);

create table sessions (
  workspace_id uuid not null,
  id uuid not null,
  key uuid not null default gen_random_uuid(),
  attached_at timestamptz not null default now(),
  last_heard_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, key)
);
