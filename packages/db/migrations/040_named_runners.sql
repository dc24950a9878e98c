-- A launch may name its runner: only one of that name takes the request. Null is whichever can.
alter table execution_requests add column if not exists only_runner text;

-- next step
-- A lane is what needs the same, so what waits for a runner that is away is passed over whole.
create index concurrently if not exists execution_requests_lanes_of_runners on execution_requests
  (workspace_id, project_id, agent, coalesce(resource_key, ''), coalesce(only_runner, ''), created_at, id)
  where status = 'queued';

-- next step
create index concurrently if not exists execution_requests_untold_of_runners on execution_requests
  (workspace_id, project_id, agent, coalesce(resource_key, ''), coalesce(only_runner, ''), created_at, id)
  where status = 'queued' and no_runner_told_at is null;

-- next step
drop index execution_requests_lanes;
alter index execution_requests_lanes_of_runners rename to execution_requests_lanes;
drop index execution_requests_untold;
alter index execution_requests_untold_of_runners rename to execution_requests_untold;
