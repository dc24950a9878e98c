-- Missions that have a budget, and those that it holds back, each by the status in which they stand: a list of them leaves those
-- out that are closed.

create index concurrently if not exists missions_budgeted on missions (status_id, id)
  where deleted_at is null
    and (budget_millionths is not null or budget_tokens is not null or budget_runs is not null);

-- next step
create index concurrently if not exists missions_spent on missions (status_id, id)
  where deleted_at is null
    and (used_millionths >= budget_millionths or used_input_tokens + used_output_tokens >= budget_tokens
         or launches >= budget_runs);

-- next step
-- All of it is built while the service works, and nothing in the transaction that notes this file.
