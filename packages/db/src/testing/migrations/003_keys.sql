create unique index concurrently if not exists sessions_key_workspace_id_key on sessions (key, workspace_id);

-- next step
do $$ begin
  if exists (select from pg_constraint where conname = 'sessions_workspace_id_key_key') then
    alter table sessions
      drop constraint sessions_workspace_id_key_key,
      add constraint sessions_key_workspace_id_key unique using index sessions_key_workspace_id_key;
  end if;
end $$;

-- next step
-- Built under the lock: made while the service works, it would refuse what trades places within a transaction until it is
-- deferrable.
alter table runs
  drop constraint if exists runs_workspace_id_list_id_position_key,
  drop constraint if exists runs_list_id_position_workspace_id_key,
  add unique (list_id, position, workspace_id) deferrable initially deferred;
