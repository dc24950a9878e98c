-- What waits for a person, and a board's columns: each found by an index that holds nothing else.

-- The columns come without a default, so that no row is written again, and in the order in which the service locks these
-- tables. `addressed_to` is whoever launched, else brought the agent that worked; null: nobody did, and it is the
-- admins'. It has no foreign key: nothing depends on it, and the tables are large.
alter table missions
  add column if not exists in_review_since timestamptz,
  add column if not exists addressed_to uuid;

alter table objectives
  -- It awaits approval, or its last run came to nothing and nobody has gone on with it since. Null also where it or its
  -- mission was deleted, and while its mission is closed, which is a person's word about it.
  add column if not exists need text,
  add column if not exists need_since timestamptz,
  add column if not exists addressed_to uuid;

alter table questions add column if not exists addressed_to uuid;

alter table run_queues add column if not exists addressed_to uuid;

alter table run_queue_entries add column if not exists held_since timestamptz;

alter table objectives drop constraint if exists objectives_need_check;
alter table objectives add constraint objectives_need_check check (
  (need is null) = (need_since is null)
  and need in ('awaiting_approval', 'stopped')
  and (need = 'awaiting_approval') <= (state = 'awaiting_approval')) not valid;

-- next step
alter table objectives validate constraint objectives_need_check;

-- next step
-- Two of each: of everybody, and of one person. What a person's index would find is filtered where there is little of it.
create index concurrently if not exists missions_in_review on missions (workspace_id, id)
  where in_review_since is not null and deleted_at is null;

-- next step
create index concurrently if not exists missions_in_review_of on missions (workspace_id, addressed_to, id)
  where in_review_since is not null and deleted_at is null;

-- next step
create index concurrently if not exists objectives_needing on objectives (workspace_id, need, id)
  where need is not null;

-- next step
create index concurrently if not exists objectives_needing_of on objectives (workspace_id, need, addressed_to, id)
  where need is not null;

-- next step
create index concurrently if not exists questions_open_of on questions (workspace_id, addressed_to, id)
  where status = 'open';

-- next step
create index concurrently if not exists run_queue_entries_held on run_queue_entries (workspace_id, id)
  where state = 'held';

-- next step
create index concurrently if not exists run_queues_paused on run_queues (workspace_id, id)
  where paused_at is not null;

-- next step
create index concurrently if not exists webhook_subscriptions_disabled on webhook_subscriptions (workspace_id, id)
  where disabled_at is not null and deleted_at is null;

-- next step
create index concurrently if not exists execution_requests_queued_of_device
  on execution_requests (workspace_id, created_at, id)
  where status = 'queued' and only_device is not null;

-- next step
-- Those whose end concerns a person, as `user_tokens_by_end` has them of all workspaces. Its condition is said by that look
-- alone, so that no other one at tokens is planned through it.
create index concurrently if not exists user_tokens_ending on user_tokens (workspace_id, expires_at)
  where revoked_at is null and objective_id is null and expires_at >= '-infinity';

-- next step
-- A column of a board is counted by it alone, without what was deleted. Else it is as the one before it, which goes.
create index concurrently if not exists missions_on_board on missions (status_id, id) include (deleted_at);

-- next step
drop index concurrently if exists missions_of_status;

-- next step
-- rows of before
-- When it began was not kept of these. All is set and not added, so that it can be done again.
update objectives o
   set addressed_to = coalesce(
         (select r.requested_by from execution_requests r
           where r.workspace_id = o.workspace_id and r.objective_id = o.id order by r.seq desc limit 1),
         (select s.user_id from agent_sessions s
           where s.workspace_id = o.workspace_id and s.objective_id = o.id order by s.seq desc limit 1))
 where o.state in ('launching', 'executing') and o.addressed_to is null;

-- next step
update objectives o
   set need = 'awaiting_approval', need_since = m.updated_at,
       addressed_to = (select r.requested_by from execution_requests r
                        where r.workspace_id = m.workspace_id and r.mission_id = m.id order by r.seq desc limit 1)
  from missions m
  join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id
 where o.state = 'awaiting_approval' and o.deleted_at is null and o.need is null
   and m.workspace_id = o.workspace_id and m.id = o.mission_id and m.deleted_at is null
   and s.type not in ('complete', 'cancelled');

-- next step
update objectives o
   set need = 'stopped', need_since = coalesce(r.ended_at, r.updated_at), addressed_to = r.requested_by
  from missions m
  join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id,
       execution_requests r
 where o.state in ('draft', 'submitted') and o.deleted_at is null and o.need is null
   and m.workspace_id = o.workspace_id and m.id = o.mission_id and m.deleted_at is null
   and s.type not in ('complete', 'cancelled')
   and r.workspace_id = o.workspace_id
   and r.id = (select newest.id from execution_requests newest
                where newest.workspace_id = o.workspace_id and newest.objective_id = o.id
                order by newest.seq desc limit 1)
   and (r.status in ('failed', 'expired') or o.last_outcome in ('lost', 'exited', 'question_expired'));

-- next step
update questions q
   set addressed_to = o.addressed_to
  from objectives o
 where q.status = 'open' and q.addressed_to is null
   and o.workspace_id = q.workspace_id and o.id = q.objective_id;

-- next step
update missions m
   set in_review_since = m.updated_at,
       addressed_to = (select r.requested_by from execution_requests r
                        where r.workspace_id = m.workspace_id and r.mission_id = m.id order by r.seq desc limit 1)
  from project_statuses s
 where s.workspace_id = m.workspace_id and s.id = m.status_id and s.type = 'review'
   and m.in_review_since is null;
