-- Set while a person's resend is in flight: what the delivery was before, and is again when the resend does not arrive.
alter table webhook_delivery add column resent_from text
  check (resent_from in ('delivered', 'failed', 'held', 'canceled'));
alter table webhook_delivery add check (resent_from is null or state = 'pending');

alter table webhook_attempt drop constraint webhook_attempt_trigger_check;
alter table webhook_attempt add check (trigger in ('schedule', 'resend', 'ping'));

-- The held ones of one subscription are counted and recovered in order.
drop index webhook_delivery_held;
create index webhook_delivery_held on webhook_delivery (workspace_id, subscription_id, id) where state = 'held';
