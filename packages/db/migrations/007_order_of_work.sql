-- Which of an objective's requests and sessions came later, one count for both. Their ids cannot say it: each process
-- makes them by its own clock. The numbers are drawn under the objective's lock, so of one objective they go up.
-- What is there already is numbered below the first one that is drawn; the million is for what comes until then.
do $$ begin
  if to_regclass('work_order') is null then
    create sequence work_order;
    perform setval('work_order', n + 1000000, false)
       from (select (select count(*) from execution_requests) + (select count(*) from agent_sessions) as n) came
      where n > 0;
  end if;
end $$;

-- next step
-- Both at once: what came later has the higher number.
alter table execution_requests add column if not exists seq bigint;
alter table execution_requests alter column seq set default nextval('work_order');
alter table agent_sessions add column if not exists seq bigint;
alter table agent_sessions alter column seq set default nextval('work_order');

-- next step
-- What is there already came in the order in which the database's own clock saw it.
create table if not exists work_so_far as
  select kind, workspace_id, id, row_number() over (order by came_at, id) as seq
    from (select 'request' as kind, workspace_id, id, created_at as came_at from execution_requests where seq is null
          union all
          select 'session', workspace_id, id, attached_at from agent_sessions where seq is null) came;
create unique index if not exists work_so_far_seq on work_so_far (seq);
analyze work_so_far;

-- next step
do $$
declare
  numbered bigint := 0;
  newest bigint := (select coalesce(max(seq), 0) from work_so_far);
begin
  while numbered < newest loop
    update execution_requests r set seq = w.seq from work_so_far w
     where w.seq between numbered + 1 and numbered + 1000 and w.kind = 'request'
       and w.workspace_id = r.workspace_id and w.id = r.id and r.seq is null;
    commit;
    update agent_sessions s set seq = w.seq from work_so_far w
     where w.seq between numbered + 1 and numbered + 1000 and w.kind = 'session'
       and w.workspace_id = s.workspace_id and w.id = s.id and s.seq is null;
    commit;
    numbered := numbered + 1000;
  end loop;
end $$;

-- next step
-- A check is validated beside the work, and then spares `set not null` the reading of the table.
alter table execution_requests
  drop constraint if exists execution_requests_numbered,
  add constraint execution_requests_numbered check (seq is not null) not valid;

-- next step
alter table execution_requests validate constraint execution_requests_numbered;

-- next step
alter table execution_requests alter column seq set not null;
alter table execution_requests drop constraint execution_requests_numbered;

-- next step
alter table agent_sessions
  drop constraint if exists agent_sessions_numbered,
  add constraint agent_sessions_numbered check (seq is not null) not valid;

-- next step
alter table agent_sessions validate constraint agent_sessions_numbered;

-- next step
alter table agent_sessions alter column seq set not null;
alter table agent_sessions drop constraint agent_sessions_numbered;

-- next step
-- The newest of an objective, and the lists that show the newest first.
create index concurrently if not exists execution_requests_of_objective
  on execution_requests (workspace_id, objective_id, seq);

-- next step
create index concurrently if not exists execution_requests_of_mission_next
  on execution_requests (workspace_id, mission_id, seq);

-- next step
drop index concurrently if exists execution_requests_of_mission;

-- next step
create index concurrently if not exists execution_requests_newest on execution_requests (workspace_id, seq);

-- next step
create index concurrently if not exists agent_sessions_of_objective
  on agent_sessions (workspace_id, objective_id, seq);

-- next step
create index concurrently if not exists agent_sessions_of_request_next
  on agent_sessions (workspace_id, execution_request_id, seq);

-- next step
drop index concurrently if exists agent_sessions_of_request;

-- next step
alter index execution_requests_of_mission_next rename to execution_requests_of_mission;
alter index agent_sessions_of_request_next rename to agent_sessions_of_request;
drop table work_so_far;
