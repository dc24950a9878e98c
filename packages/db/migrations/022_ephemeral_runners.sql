-- A runner may be a pod that takes one launch and is gone after it: it has nothing of before, and so clones what it works in
-- from where the project says.

alter table project_resources add column clone_url text;
alter table runners add column ephemeral boolean not null default false;

-- Rows of those that have gone stay, since their runs name them. Neither index has a column that a claim changes.
create index runners_there on runners (workspace_id, id) where removed_at is null;
create index runners_ephemeral on runners (workspace_id, id) where ephemeral and removed_at is null;
