-- The few deliveries whose presentation waits for a model: those that waited too long are found by it.
create index deliveries_composing on deliveries (created_at)
  where report #>> '{presentation,status}' = 'composing';
