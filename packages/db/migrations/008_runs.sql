-- Lists of runs from their newest end, by what they are in: of a workspace, a project, a runner, and a runner in a project.
-- Where several states are asked for, each is read from its own newest end. `seq > 0` as before: only what asks for the list
-- of a whole workspace is given that index.
create index concurrently if not exists execution_requests_newest_by_state on execution_requests
  (workspace_id, coalesce(outcome, status), seq) where seq > 0;

-- next step
create index concurrently if not exists execution_requests_of_project on execution_requests
  (project_id, coalesce(outcome, status), seq);

-- next step
create index concurrently if not exists execution_requests_of_runner on execution_requests
  (runner_id, coalesce(outcome, status), seq) where runner_id is not null;

-- next step
create index concurrently if not exists execution_requests_of_runner_in_project on execution_requests
  (runner_id, project_id, coalesce(outcome, status), seq) where runner_id is not null;

-- next step
drop index concurrently if exists execution_requests_newest;

-- next step
alter index execution_requests_newest_by_state rename to execution_requests_newest;
