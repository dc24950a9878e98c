-- What a notification is about, and the step that its person takes then. Once its cause has gone, it counts as read.
alter table notifications add column subject_id uuid;
alter table notifications add column next jsonb;
create index notifications_unsettled on notifications (subject_id, workspace_id)
  where read_at is null and subject_id is not null;

-- Whoever moves them: a cause goes in many ways, and none of them has to know of notifications.
create function app.settle_notifications() returns trigger language plpgsql as $$
begin
  update notifications set read_at = app.now()
   where workspace_id = old.workspace_id and subject_id = old.id and read_at is null
     and kind = any(string_to_array(tg_argv[0], ' '));
  return null;
end $$;

create trigger settle_notifications after update of status on questions
  for each row when (old.status = 'open' and new.status <> 'open')
  execute function app.settle_notifications('question');
create trigger settle_notifications after update of state, deleted_at on objectives
  for each row when (new.deleted_at is not null
    or (old.state <> new.state and new.state in ('launching', 'executing', 'complete')))
  execute function app.settle_notifications('run_failed run_lost run_ended');
create trigger settle_approvals after update of state, deleted_at on objectives
  for each row when (old.state = 'awaiting_approval'
    and (new.state <> 'awaiting_approval' or new.deleted_at is not null))
  execute function app.settle_notifications('awaiting_approval');
create trigger settle_notifications after update of paused_at on run_queues
  for each row when (old.paused_at is not null and new.paused_at is null)
  execute function app.settle_notifications('queue_paused');
create trigger settle_notifications_of_deleted after delete on run_queues
  for each row execute function app.settle_notifications('queue_paused');
create trigger settle_notifications after update of status on execution_requests
  for each row when (old.status = 'queued' and new.status <> 'queued')
  execute function app.settle_notifications('no_runner');

create function app.settle_notifications_of_mission() returns trigger language plpgsql as $$
begin
  update notifications set read_at = app.now()
   where workspace_id = new.workspace_id and read_at is null
     and subject_id in (select id from objectives
                         where workspace_id = new.workspace_id and mission_id = new.id);
  return null;
end $$;
create trigger settle_notifications after update of deleted_at on missions
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function app.settle_notifications_of_mission();

-- When its person was told that no runner can take it, once.
alter table execution_requests add column no_runner_told_at timestamptz;
create index execution_requests_untold
  on execution_requests (workspace_id, project_id, agent, coalesce(resource_key, ''), created_at, id)
  where status = 'queued' and no_runner_told_at is null;
create index execution_requests_untold_of_device on execution_requests (run_after)
  where status = 'queued' and no_runner_told_at is null and only_device is not null;
