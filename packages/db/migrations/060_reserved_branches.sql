-- The name that the next branch of a mission has in one resource, given to the first run that asks for one: those that
-- start beside it use the same, before the branch is there. It lives as long as the mission.
create table reserved_branches (
  workspace_id uuid not null,
  mission_id uuid not null,
  resource_key text not null,
  -- the mission's branch before it; null: there was none
  follows text,
  branch text not null,
  -- where it is to be cut
  runner_id uuid not null,
  unique nulls not distinct (workspace_id, mission_id, resource_key, follows),
  foreign key (workspace_id, mission_id) references missions on delete cascade,
  foreign key (workspace_id, runner_id) references runners
);
