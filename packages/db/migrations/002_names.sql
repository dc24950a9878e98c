-- Nothing but names: the tables of webhooks have the plural of all others, an advance is pending and not owed, queued
-- requests lie in partitions and not in lanes, and people are notified and not told. In the order in which the service
-- locks these tables, so that it and this file do not wait for each other.

alter table missions rename column advance_owed_by to pending_advance_delivery_id;
alter index missions_advance_owed rename to missions_pending_advance;

alter table objectives rename column owes_queue_id to advances_queue_id;

alter table execution_requests rename column no_runner_told_at to no_runner_notified_at;
alter index execution_requests_lanes rename to execution_requests_partitions;
alter index execution_requests_untold rename to execution_requests_unnotified;
alter index execution_requests_untold_of_device rename to execution_requests_unnotified_of_device;

alter table run_queues rename column advance_owed_since to advance_pending_since;
alter index run_queues_owing rename to run_queues_pending;

alter table webhook_event rename to webhook_events;
alter table webhook_subscription rename to webhook_subscriptions;
alter table webhook_body rename to webhook_bodies;
alter table webhook_delivery rename to webhook_deliveries;
alter table webhook_attempt rename to webhook_attempts;

-- Their indexes and constraints, which begin with the name of the table. Found in the catalog, since only some versions
-- of PostgreSQL have a constraint for each column that is never null.
do $$
declare
  old record;
begin
  for old in
    select named.plural, c.conname as name, named.plural || substr(c.conname, length(named.singular) + 1) as becomes
      from (values ('webhook_event', 'webhook_events'), ('webhook_subscription', 'webhook_subscriptions'),
                   ('webhook_body', 'webhook_bodies'), ('webhook_delivery', 'webhook_deliveries'),
                   ('webhook_attempt', 'webhook_attempts')) as named(singular, plural)
      join pg_constraint c
        on c.conrelid = named.plural::regclass and starts_with(c.conname, named.singular || '_')
  loop
    execute format('alter table %I rename constraint %I to %I', old.plural, old.name, old.becomes);
  end loop;
end $$;
alter index webhook_event_waiting rename to webhook_events_waiting;
alter index webhook_delivery_one_per_event rename to webhook_deliveries_one_per_event;
alter index webhook_delivery_log rename to webhook_deliveries_log;
alter index webhook_delivery_tests rename to webhook_deliveries_tests;
alter index webhook_delivery_due rename to webhook_deliveries_due;
alter index webhook_delivery_held rename to webhook_deliveries_held;
