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

-- Files that people give an objective along.
create table attachments (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  name text not null,
  media_type text not null,
  size integer not null,
  sha256 text not null,
  bytes bytea not null,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives
);
-- A runner lays them into one folder, also where letters of either case name the same file.
create unique index attachments_by_name on attachments (objective_id, workspace_id, lower(name));

create index audit_trail_by_action on audit_trail (workspace_id, action, id);

-- A mission that is made in a status, or moved to one, which goes in the same moment: as a conflict of the two the call
-- is made once more, and finds what is there then. The foreign key alone would fail it.
create function app.status_is_there() returns trigger language plpgsql as $$
begin
  perform from project_statuses s
    where s.workspace_id = new.workspace_id and s.project_id = new.project_id and s.id = new.status_id
      for key share;
  if not found then
    raise exception 'the status is gone' using errcode = 'serialization_failure';
  end if;
  return new;
end
$$;
create trigger missions_status before insert or update of status_id on missions
  for each row execute function app.status_is_there();
