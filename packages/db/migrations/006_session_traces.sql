-- What counts as blank, once for queries and readers: the characters that JavaScript's trim takes away.
alter table objectives add column blank boolean not null generated always as (btrim(instruction,
  U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF'
  ) = '') stored;

-- Where one look at a checkout is told in several batches: which of how many this one is. Null: it only adds.
alter table ledger_batches add column part integer;
alter table ledger_batches add column parts integer;

-- What the agent last said of how far it has come.
alter table agent_sessions add column percent double precision;
alter table agent_sessions add column note text;

-- What the delivery's answer named as next, for the same call sent again.
alter table deliveries add column next jsonb;
update deliveries d
   set next = jsonb_build_object('objectiveId', e.objective_id, 'state', 'launching')
  from execution_requests e
 where e.workspace_id = d.workspace_id and e.advanced_by_delivery_id = d.id;

-- Text keeps the order of keys, so the same call gets the same bytes.
alter table idempotency_keys alter column answer type text using answer::text;
