-- What branches of this resource are cut from; where none is recorded, the project's default branch.
alter table project_resources add column default_branch text;

-- The branch that a mission, or one of its objectives, has in one resource: where it was cut, and the last that was
-- known of it. It lives as long as the mission. Like a ledger, it has no foreign key to objectives.
create table mission_branches (
  workspace_id uuid not null,
  mission_id uuid not null,
  resource_key text not null,
  -- null: the branch is the mission's
  objective_id uuid,
  branch text not null,
  start_sha text not null,
  last_sha text not null,
  runner_id uuid not null,
  -- the run that was on it last
  execution_request_id uuid not null,
  updated_at timestamptz not null default app.now(),
  unique nulls not distinct (workspace_id, mission_id, resource_key, objective_id),
  foreign key (workspace_id, mission_id) references missions on delete cascade,
  foreign key (workspace_id, runner_id) references runners
);

-- What the runs so far left behind, so that missions under way go on with their branches.
insert into mission_branches
  (workspace_id, mission_id, resource_key, objective_id, branch, start_sha, last_sha, runner_id,
   execution_request_id)
select distinct on (e.workspace_id, e.mission_id, e.resource_key, own.objective_id)
       e.workspace_id, e.mission_id, e.resource_key, own.objective_id, e.prepared ->> 'branch',
       first_value(e.prepared ->> 'baseSha') over (
         partition by e.workspace_id, e.mission_id, e.resource_key, e.prepared ->> 'branch'
         order by e.created_at, e.id),
       coalesce(d.diff ->> 'headSha', e.prepared ->> 'baseSha'), e.runner_id, e.id
  from execution_requests e
  join objectives o on o.workspace_id = e.workspace_id and o.id = e.objective_id
  left join run_diffs d on d.workspace_id = e.workspace_id and d.execution_request_id = e.id
 cross join lateral (
   select case when o.branch = e.prepared ->> 'branch' then o.id end as objective_id) own
 where e.resource_key is not null and e.runner_id is not null
   and e.prepared ->> 'branch' is not null and e.prepared ->> 'baseSha' is not null
 order by e.workspace_id, e.mission_id, e.resource_key, own.objective_id, e.created_at desc, e.id desc;

-- A person's word that this run begins anew in its resource.
alter table execution_requests add column from_base boolean not null default false;

-- By runner: why it gave the request back, how often for that reason, and until when it leaves it alone. Others need
-- not wait.
alter table execution_requests add column waits jsonb not null default '{}';
