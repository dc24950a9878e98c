-- An owner deletes a workspace. It can be restored for 30 days, and then goes with all its rows; one line about it stays.

alter table workspaces
  add column if not exists deleted_at timestamptz,
  add column if not exists deleted_by uuid;
create index if not exists workspaces_deleted on workspaces (deleted_at) where deleted_at is not null;

-- Whatever lets anybody in asks for a membership: without one, tokens, browsers, applications, runners and runs are dead in the same
-- moment, and no look at a right can forget to ask whether the workspace is there. Those of a deleted one wait here.
create table if not exists held_memberships (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null,
  primary key (workspace_id, user_id)
);

-- What is left of one that has gone. Without foreign keys, as the audit trail.
create table if not exists removed_workspaces (
  id uuid primary key,
  slug text not null,
  name text not null,
  deleted_by uuid,
  deleted_at timestamptz not null,
  removed_at timestamptz not null default app.now()
);

-- The trail of a workspace whose time to be restored is over goes as a whole, a batch at a time: the line above tells of it.
create or replace function app.is_gone(workspace uuid) returns boolean language sql stable as $$
  select exists (
    select from workspaces where id = workspace and deleted_at < app.now() - interval '30 days')
$$;

create or replace function app.prune_audit_trail() returns trigger language plpgsql as $$
declare
  days integer := (new.details->>'keptDays')::integer;
  is_gone boolean := app.is_gone(new.workspace_id);
  removed integer;
  until timestamptz;
begin
  if not is_gone and (days is null or days < 30) then
    raise exception 'entries of % stay for 30 days at least', tg_table_name using errcode = 'restrict_violation';
  end if;
  with gone as (
    delete from audit_trail where ctid = any(array(
      select ctid from audit_trail
       where workspace_id = new.workspace_id and (is_gone or created_at < app.audit_kept_since(days))
       order by created_at, id limit 1000 for update skip locked))
    returning created_at)
  select count(*), max(created_at) into removed, until from gone;
  if removed = 0 or is_gone then
    return null;
  end if;
  new.details := new.details || jsonb_build_object('removed', removed, 'until', until);
  return new;
end
$$;

create or replace function app.keep_young_entry() returns trigger language plpgsql as $$
begin
  if not app.is_gone(old.workspace_id) then
    raise exception 'rows of % are only ever added', tg_table_name using errcode = 'restrict_violation';
  end if;
  return old;
end
$$;
drop trigger if exists audit_trail_young_stays on audit_trail;
create trigger audit_trail_young_stays before delete on audit_trail
  for each row when (old.created_at >= app.audit_kept_since(30)) execute function app.keep_young_entry();

-- next step
-- Which run went on from which, for the foreign key, where runs go by the thousand.
create index concurrently if not exists execution_requests_of_resumed on execution_requests (workspace_id, resume_of)
  where resume_of is not null;

-- next step
comment on index execution_requests_of_resumed is 'for the foreign key, where runs are purged';
