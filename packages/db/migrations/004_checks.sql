-- Checks before a delivery. Columns alone, and in the order in which the service locks these tables.

-- the one check that stands before its delivery, or 'none'; null is all of its project's
alter table objectives add column chosen_check text;

-- The attempt at a delivery that waits for the checks of this run, or was the last: who asked, and what came of it.
alter table execution_requests add column checks jsonb;

-- what its checks came to; null where there were none to run
alter table deliveries add column checks jsonb;

-- by name: the command, and how long it may take
alter table projects add column checks jsonb not null default '{}';
