-- What the live feed shows in addition: things of one person, the revision that a change made, and how far logs go.

-- Both come with null, so that no row is written again.
alter table entity_changes
  -- who alone may see it; null is whoever may read the thing
  add column user_id uuid,
  -- what the change made it; null where the thing has none
  add column revision integer;

-- How far the log of each run goes, in order of transaction: one row a run, which moves with each upload. Whoever looks on
-- has the newest and never all those that came before it. An upload is a transaction of its own.
create table run_log_ends (
  workspace_id uuid not null,
  execution_request_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  project_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  generation integer not null,
  end_offset bigint not null,
  updated_at timestamptz not null default app.now(),
  primary key (workspace_id, execution_request_id),
  foreign key (workspace_id, execution_request_id) references execution_requests
);
create index run_log_ends_in_order on run_log_ends (workspace_id, xid);
create index run_log_ends_of_mission on run_log_ends (workspace_id, mission_id, xid);

-- Kept here and not by those who notify somebody or settle that, so that none of them can forget it.
create function app.record_notifications() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into entity_changes (workspace_id, project_id, user_id, entity, entity_id, operation, data)
    select workspace_id, project_id, user_id, 'notification', id, 'create', jsonb_build_object('kind', kind)
      from written;
  else
    insert into entity_changes (workspace_id, project_id, user_id, entity, entity_id, operation, data)
    select w.workspace_id, w.project_id, w.user_id, 'notification', w.id, 'read', jsonb_build_object('kind', w.kind)
      from written w join before b on b.workspace_id = w.workspace_id and b.id = w.id
     where b.read_at is null and w.read_at is not null;
  end if;
  return null;
end $$;
create trigger record_new after insert on notifications
  referencing new table as written
  for each statement execute function app.record_notifications();
create trigger record_read after update on notifications
  referencing new table as written old table as before
  for each statement execute function app.record_notifications();
