-- Why a person cancelled the run.
alter table execution_requests add column cancel_reason text;
create index execution_requests_cancelling on execution_requests (workspace_id, id)
  where cancel_requested_at is not null and ended_at is null;

alter table objectives
  -- where it stood among the others, for its way back
  add column deleted_position integer,
  -- it went with its mission, and comes back with it
  add column deleted_with_mission boolean not null default false,
  add check (deleted_at is not null or (deleted_position is null and not deleted_with_mission));

-- What is kept for a while after it was deleted, the oldest first.
create index missions_deleted on missions (deleted_at) where deleted_at is not null;
create index objectives_deleted on objectives (deleted_at)
  where deleted_at is not null and not deleted_with_mission;
