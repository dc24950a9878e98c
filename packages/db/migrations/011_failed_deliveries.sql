-- What has failed of one webhook is counted and sent once more in order.

create index concurrently if not exists webhook_deliveries_failed
  on webhook_deliveries (workspace_id, subscription_id, created_at, id) where state = 'failed';

-- next step
-- It is built while the service works, and nothing in the transaction that notes this file.
