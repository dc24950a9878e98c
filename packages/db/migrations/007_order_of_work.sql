-- Which of an objective's requests and sessions came later, one count for both. Their ids cannot say it: each process
-- makes them by its own clock. The numbers are drawn under the objective's lock, so of one objective they go up.
create sequence work_order;
alter table execution_requests add column seq bigint;
alter table agent_sessions add column seq bigint;

-- What is there already came in the order in which the database's own clock saw it.
create temporary table work_so_far on commit drop as
  select workspace_id, id, row_number() over (order by came_at, id) as seq
    from (select workspace_id, id, created_at as came_at from execution_requests
          union all
          select workspace_id, id, attached_at from agent_sessions) came;
select setval('work_order', count(*) + 1, false) from work_so_far;
update execution_requests r set seq = w.seq from work_so_far w
 where w.workspace_id = r.workspace_id and w.id = r.id;
update agent_sessions s set seq = w.seq from work_so_far w
 where w.workspace_id = s.workspace_id and w.id = s.id;

alter table execution_requests
  alter column seq set not null, alter column seq set default nextval('work_order');
alter table agent_sessions
  alter column seq set not null, alter column seq set default nextval('work_order');

-- The newest of an objective, and the lists that show the newest first.
create index execution_requests_of_objective on execution_requests (workspace_id, objective_id, seq);
drop index execution_requests_of_mission;
create index execution_requests_of_mission on execution_requests (workspace_id, mission_id, seq);
create index execution_requests_newest on execution_requests (workspace_id, seq);
create index agent_sessions_of_objective on agent_sessions (workspace_id, objective_id, seq);
drop index agent_sessions_of_request;
create index agent_sessions_of_request on agent_sessions (workspace_id, execution_request_id, seq);
