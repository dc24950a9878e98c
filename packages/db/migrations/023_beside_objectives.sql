-- What the agents of a mission leave for each other. A revision is drawn once and for all, so that a key which was
-- removed and set anew is not taken for what it was.
create sequence shared_state_revision;
create table shared_state (
  workspace_id uuid not null,
  mission_id uuid not null,
  key text not null,
  value jsonb not null,
  revision bigint not null default nextval('shared_state_revision'),
  updated_at timestamptz not null default app.now(),
  primary key (workspace_id, mission_id, key),
  foreign key (workspace_id, mission_id) references missions
);
