-- What has failed of one webhook is counted and sent once more in order.

-- next step
create index concurrently if not exists webhook_deliveries_failed
  on webhook_deliveries (workspace_id, subscription_id, created_at, id) where state = 'failed';

-- next step
select;
