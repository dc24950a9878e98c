-- How often a webhook was tested lately is asked under its lock; its log is long and its tests are few.
create index concurrently if not exists webhook_delivery_tests
  on webhook_delivery (workspace_id, subscription_id, created_at) where kind = 'ping';

-- next step
-- Led by what names one subscription alone. Led by the workspace, it passed for the key of a delivery wherever a plan was
-- made while the table was small, and then read a whole workspace for each.
create index concurrently if not exists webhook_delivery_log_next on webhook_delivery (subscription_id, id);

-- next step
drop index concurrently if exists webhook_delivery_log;

-- next step
alter index webhook_delivery_log_next rename to webhook_delivery_log;
