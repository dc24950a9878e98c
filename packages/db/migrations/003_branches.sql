-- What branches of this resource are cut from; where none is recorded, the project's default branch.
alter table project_resources add column default_branch text;
