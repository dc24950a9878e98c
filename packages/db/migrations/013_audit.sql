-- The audit trail is looked through by time, by whoever did something and by what it was done to, and keeps by what they acted.

-- The columns come without a default, so that no row is written again. By what: the browser in which somebody was signed in, a
-- token, or what an agent had for its run, of which `token_id` is the one that claimed it. Null: by none of these, or kept of
-- none before. Without foreign keys, as all of it.
alter table audit_trail
  add column if not exists by_kind text,
  add column if not exists token_id uuid,
  add column if not exists execution_request_id uuid;

alter table audit_trail drop constraint if exists audit_trail_by_kind_check;
alter table audit_trail add constraint audit_trail_by_kind_check check (by_kind in ('token', 'sign_in', 'run')) not valid;

-- next step
alter table audit_trail validate constraint audit_trail_by_kind_check;

-- next step
-- By the database's clock, which is one, where the ids of several processes are of several.
create index concurrently if not exists audit_trail_newest on audit_trail (workspace_id, created_at, id);

-- next step
create index concurrently if not exists audit_trail_of_action on audit_trail (workspace_id, action, created_at, id);

-- next step
create index concurrently if not exists audit_trail_of_actor on audit_trail (workspace_id, actor_id, created_at, id);

-- next step
create index concurrently if not exists audit_trail_of_target on audit_trail (workspace_id, target_id, created_at, id);

-- next step
drop index if exists audit_trail_by_action;
