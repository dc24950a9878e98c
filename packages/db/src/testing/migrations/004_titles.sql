-- One transaction, as most files are.
alter table runs add column title text not null default '';
