-- In the order of its bytes, so that its index finds the clients of the networks that begin alike.
alter table oauth_clients alter column network type text collate "C";
-- Nothing counts the clients of all networks any more.
drop index oauth_clients_by_age;
