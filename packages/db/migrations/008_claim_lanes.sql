-- What runners gave back and leave alone for a while.
create index concurrently if not exists execution_requests_given_back on execution_requests (workspace_id, resource_key)
  where status = 'queued' and waits <> '{}';

-- next step
-- A claim looks into the lanes that its runner can take from: the requests of one project, agent and resource, the
-- oldest first.
create index concurrently if not exists execution_requests_lanes on execution_requests
  (workspace_id, project_id, agent, coalesce(resource_key, ''), created_at, id)
  where status = 'queued';

-- next step
drop index execution_requests_queue;
