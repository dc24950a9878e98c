-- The order of what happened in a mission, one count for its history and its events. Their ids cannot say it: each
-- process makes them by its own clock. The numbers of events are drawn under the mission's lock, so of one mission they
-- go up. What is there already is numbered below the first one that is drawn; the million is for what comes until then.
do $$ begin
  if to_regclass('event_order') is null then
    create sequence event_order;
    perform setval('event_order', n + 1000000, false)
       from (select (select count(*) from mission_events) + (select count(*) from webhook_event) as n) came
      where n > 0;
  end if;
end $$;

-- next step
alter table mission_events add column if not exists sequence bigint;
alter table mission_events alter column sequence set default nextval('event_order');

-- next step
alter table webhook_event add column if not exists sequence bigint;
alter table webhook_event alter column sequence set default nextval('event_order');

-- next step
create table if not exists events_so_far as
  select kind, workspace_id, id, row_number() over (order by came_at, id) as sequence
    from (select 'history' as kind, workspace_id, id, created_at as came_at from mission_events where sequence is null
          union all
          select 'event', workspace_id, id, occurred_at from webhook_event where sequence is null) came;
create unique index if not exists events_so_far_sequence on events_so_far (sequence);
analyze events_so_far;

-- next step
do $$
declare
  numbered bigint := 0;
  newest bigint := (select coalesce(max(sequence), 0) from events_so_far);
begin
  while numbered < newest loop
    update mission_events e set sequence = n.sequence from events_so_far n
     where n.sequence between numbered + 1 and numbered + 1000 and n.kind = 'history'
       and n.workspace_id = e.workspace_id and n.id = e.id and e.sequence is null;
    commit;
    update webhook_event e set sequence = n.sequence from events_so_far n
     where n.sequence between numbered + 1 and numbered + 1000 and n.kind = 'event'
       and n.workspace_id = e.workspace_id and n.id = e.id and e.sequence is null;
    commit;
    numbered := numbered + 1000;
  end loop;
end $$;

-- next step
-- A check is validated beside the work, and then spares `set not null` the reading of the table.
alter table mission_events
  drop constraint if exists mission_events_numbered,
  add constraint mission_events_numbered check (sequence is not null) not valid;

-- next step
alter table mission_events validate constraint mission_events_numbered;

-- next step
alter table mission_events alter column sequence set not null;
alter table mission_events drop constraint mission_events_numbered;

-- next step
alter table webhook_event
  drop constraint if exists webhook_event_numbered,
  add constraint webhook_event_numbered check (sequence is not null) not valid;

-- next step
alter table webhook_event validate constraint webhook_event_numbered;

-- next step
alter table webhook_event alter column sequence set not null;
alter table webhook_event drop constraint webhook_event_numbered;
drop table events_so_far;
