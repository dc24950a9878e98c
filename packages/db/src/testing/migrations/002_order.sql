-- Both are numbered as they came. What is there already gets numbers below the first one that is drawn; the thousand is
-- for what comes until then.
do $$ begin
  if to_regclass('work_order') is null then
    create sequence work_order;
    perform setval('work_order', n + 1000, false)
       from (select (select count(*) from runs) + (select count(*) from sessions) as n) came
      where n > 0;
  end if;
end $$;

-- next step
alter table runs add column if not exists seq bigint;
alter table runs alter column seq set default nextval('work_order');
alter table sessions add column if not exists seq bigint;
alter table sessions alter column seq set default nextval('work_order');

-- next step
create table if not exists work_so_far as
  select kind, workspace_id, id, row_number() over (order by came_at, id) as seq
    from (select 'run' as kind, workspace_id, id, created_at as came_at from runs where seq is null
          union all
          select 'session', workspace_id, id, attached_at from sessions where seq is null) came;
create unique index if not exists work_so_far_seq on work_so_far (seq);
analyze work_so_far;

-- next step
do $$
declare
  numbered bigint := 0;
  newest bigint := (select coalesce(max(seq), 0) from work_so_far);
begin
  while numbered < newest loop
    update runs r set seq = w.seq from work_so_far w
     where w.seq between numbered + 1 and numbered + 100 and w.kind = 'run'
       and w.workspace_id = r.workspace_id and w.id = r.id and r.seq is null;
    commit;
    update sessions s set seq = w.seq from work_so_far w
     where w.seq between numbered + 1 and numbered + 100 and w.kind = 'session'
       and w.workspace_id = s.workspace_id and w.id = s.id and s.seq is null;
    commit;
    numbered := numbered + 100;
  end loop;
end $$;

-- next step
-- A check is validated while the service works, and then spares `set not null` the reading of the table.
alter table runs
  drop constraint if exists runs_numbered,
  add constraint runs_numbered check (seq is not null) not valid;

-- next step
alter table runs validate constraint runs_numbered;

-- next step
alter table runs alter column seq set not null;
alter table runs drop constraint runs_numbered;

-- next step
alter table sessions
  drop constraint if exists sessions_numbered,
  add constraint sessions_numbered check (seq is not null) not valid;

-- next step
alter table sessions validate constraint sessions_numbered;

-- next step
alter table sessions alter column seq set not null;
alter table sessions drop constraint sessions_numbered;

-- next step
create index concurrently if not exists runs_of_list_next on runs (list_id, seq);

-- next step
drop index concurrently if exists runs_of_list;

-- next step
alter index runs_of_list_next rename to runs_of_list;
drop table work_so_far;
