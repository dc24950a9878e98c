-- Who did what, when and from where, of what changes who may do what. Without foreign keys, so that no deletion reaches
-- it.
create table audit_trail (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz not null default app.now(),
  -- null: done on the server, without a credential
  actor_id uuid,
  token_prefix text,
  came_from text,
  action text not null,
  -- null: of the workspace as a whole
  project_id uuid,
  target_id uuid not null,
  details jsonb not null,
  primary key (workspace_id, id)
);

-- A trigger and no privilege: the service may be connected as the owner of the database.
create function app.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are only ever added', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger audit_trail_stays before update or delete or truncate on audit_trail
  for each statement execute function app.refuse_change();
