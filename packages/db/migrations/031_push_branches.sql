-- Whether runners bring the branches of this project's runs to origin.
alter table projects add column push_branches boolean not null default false;
