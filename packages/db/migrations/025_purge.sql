-- Asked when what was deleted is taken away for good.
create index agent_sessions_of_mission on agent_sessions (mission_id, workspace_id);
create index artifacts_of_objective on artifacts (objective_id, workspace_id) where objective_id is not null;
