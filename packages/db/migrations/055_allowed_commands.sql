-- Commands that the agents of this project may run without being asked for leave.
alter table projects add column allowed_commands jsonb not null default '[]';
