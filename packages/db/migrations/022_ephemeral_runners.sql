-- A runner may be a pod that takes one launch and is gone after it: it has nothing of before, and so clones what it works in
-- from where the project says.

alter table project_resources add column clone_url text;
alter table runners add column ephemeral boolean not null default false;
