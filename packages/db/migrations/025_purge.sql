-- Asked when what was deleted is taken away for good.
create index agent_sessions_of_mission on agent_sessions (workspace_id, mission_id);
create index artifacts_of_objective on artifacts (workspace_id, objective_id) where objective_id is not null;
