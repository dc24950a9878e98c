-- How the runs of a week ended, summed as what they used is.

-- The columns come with a constant, so that no row is written again.
alter table usage_weeks
  add column if not exists runs_delivered integer not null default 0,
  add column if not exists runs_exited integer not null default 0,
  add column if not exists runs_lost integer not null default 0,
  add column if not exists runs_cancelled integer not null default 0,
  -- their agents were started, and never attached
  add column if not exists runs_failed integer not null default 0;

-- next step
-- rows of before
-- Of runs that went with their missions it is not known. Set and not added, so that it can be done again.
update usage_weeks w
   set runs_delivered = e.delivered, runs_exited = e.exited, runs_lost = e.lost, runs_cancelled = e.cancelled,
       runs_failed = e.failed
  from (select workspace_id, project_id, agent, coalesce(config -> 'model' ->> 'value', '') as model,
               date_trunc('week', created_at, 'UTC') as week,
               count(*) filter (where outcome = 'delivered') as delivered,
               count(*) filter (where outcome = 'exited') as exited,
               count(*) filter (where outcome = 'lost') as lost,
               count(*) filter (where outcome = 'cancelled' or status = 'cancelled') as cancelled,
               count(*) filter (where status in ('failed', 'expired')) as failed
          from execution_requests where used is not null group by 1, 2, 3, 4, 5) e
 where e.workspace_id = w.workspace_id and e.project_id = w.project_id and e.agent = w.agent
   and e.model = w.model and e.week = w.week;
