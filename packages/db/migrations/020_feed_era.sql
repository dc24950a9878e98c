-- Which counting of transactions the live feed goes by: another one after a restored backup and an import, so that a cursor of
-- before is known even once this server has come as far.

alter table feed_floor add column era bigint not null default 0;
