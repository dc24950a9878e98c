-- What two admins change of a workspace at the same time is not overwritten: it counts its changes, as missions do.

alter table workspaces add column revision integer not null default 1;
