-- Of a pod that has gone: since when no run and no branch of a mission names it. Nobody asks for it any more, and so it goes.
alter table runners add column if not exists unnamed_since timestamptz;

-- next step
create index concurrently if not exists runners_unnamed on runners (unnamed_since)
  where unnamed_since is not null;

-- next step
-- By which a runner that goes finds nothing that refers to it.
create index concurrently if not exists mission_branches_of_runner on mission_branches (runner_id);

-- next step
create index concurrently if not exists reserved_branches_of_runner on reserved_branches (runner_id);

-- next step
-- rows of before
update runners r set unnamed_since = removed_at
 where ephemeral and removed_at is not null and unnamed_since is null
   and not exists (select from execution_requests e where e.workspace_id = r.workspace_id and e.runner_id = r.id)
   and not exists (select from mission_branches b where b.workspace_id = r.workspace_id and b.runner_id = r.id)
   and not exists (select from reserved_branches b where b.workspace_id = r.workspace_id and b.runner_id = r.id);
