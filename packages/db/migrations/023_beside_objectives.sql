-- What a status that goes must look through, twice: for its missions, and for those that refer to it.
create index missions_of_status on missions (workspace_id, project_id, status_id);
