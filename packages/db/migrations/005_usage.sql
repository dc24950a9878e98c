-- What runs have used: with each run, summed for its objective, its mission and each week of its project, and the bounds
-- that a mission sets to it.

-- The columns come with a constant, so that no row is written again, and in the order in which the service locks these tables.
alter table missions
  -- Null sets no bound. Money is whole millionths of a dollar, so that sums are exact in whatever reads them.
  add column if not exists budget_millionths bigint,
  add column if not exists budget_tokens bigint,
  add column if not exists budget_runs integer,
  -- those that count for the budget: all but those that were over before a runner took them
  add column if not exists launches integer not null default 0,
  add column if not exists used_runs integer not null default 0,
  add column if not exists used_runs_without_usd integer not null default 0,
  add column if not exists used_runs_without_tokens integer not null default 0,
  add column if not exists used_input_tokens bigint not null default 0,
  add column if not exists used_output_tokens bigint not null default 0,
  add column if not exists used_millionths bigint not null default 0,
  add column if not exists used_seconds bigint not null default 0;

alter table objectives
  add column if not exists used_runs integer not null default 0,
  add column if not exists used_runs_without_usd integer not null default 0,
  add column if not exists used_runs_without_tokens integer not null default 0,
  add column if not exists used_input_tokens bigint not null default 0,
  add column if not exists used_output_tokens bigint not null default 0,
  add column if not exists used_millionths bigint not null default 0,
  add column if not exists used_seconds bigint not null default 0;

alter table execution_requests
  -- when its agent was first started, by the service's clock
  add column if not exists started_at timestamptz,
  -- its share in the sums: what its agent said, and the seconds of the run; null while it counts in none
  add column if not exists used jsonb;

-- One row for all runs of a project, agent and model that were launched in one week; a ledger, without foreign keys. Its key
-- begins with the week after the workspace, since every look at it is one at some weeks.
create table if not exists usage_weeks (
  workspace_id uuid not null,
  -- its Monday, in UTC
  week timestamptz not null,
  project_id uuid not null,
  agent text not null,
  -- empty: the agent's own default
  model text not null,
  runs integer not null,
  runs_without_usd integer not null,
  runs_without_tokens integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  millionths bigint not null,
  seconds bigint not null,
  primary key (workspace_id, week, project_id, agent, model)
);
-- Agents that have said what a run cost.
create index if not exists usage_weeks_telling on usage_weeks (agent, workspace_id, week)
  where runs > runs_without_usd;
-- What is kept long enough, the oldest first.
create index if not exists usage_weeks_by_age on usage_weeks (week);

-- next step
-- rows of before
-- What was reported before, also what an import brings that was exported then: when an agent was started is not known of
-- these, and so they have no seconds. What is summed is set and not added, so that it can be done again.
update execution_requests
   set used = jsonb_strip_nulls(jsonb_build_object(
         'inputTokens', exit -> 'usage' -> 'inputTokens', 'outputTokens', exit -> 'usage' -> 'outputTokens',
         'usd', exit -> 'usage' -> 'usd', 'seconds', 0))
 where status = 'launched' and exit is not null and used is null;

-- next step
create or replace view usage_before as
  select workspace_id, project_id, mission_id, objective_id, agent,
         coalesce(config -> 'model' ->> 'value', '') as model,
         date_trunc('week', created_at, 'UTC') as week,
         case when used ? 'usd' then 0 else 1 end as without_usd,
         case when used ?| array['inputTokens', 'outputTokens'] then 0 else 1 end as without_tokens,
         coalesce((used ->> 'inputTokens')::bigint, 0) as input_tokens,
         coalesce((used ->> 'outputTokens')::bigint, 0) as output_tokens,
         coalesce((used ->> 'usd')::numeric * 1000000, 0)::bigint as millionths
    from execution_requests where used is not null;

-- next step
insert into usage_weeks
select workspace_id, week, project_id, agent, model, count(*), sum(without_usd), sum(without_tokens),
       sum(input_tokens), sum(output_tokens), sum(millionths), 0
  from usage_before group by 1, 2, 3, 4, 5
on conflict (workspace_id, week, project_id, agent, model) do update set
  runs = excluded.runs, runs_without_usd = excluded.runs_without_usd,
  runs_without_tokens = excluded.runs_without_tokens, input_tokens = excluded.input_tokens,
  output_tokens = excluded.output_tokens, millionths = excluded.millionths;

-- next step
update missions m
   set launches = l.launches, used_runs = coalesce(s.runs, 0),
       used_runs_without_usd = coalesce(s.without_usd, 0),
       used_runs_without_tokens = coalesce(s.without_tokens, 0),
       used_input_tokens = coalesce(s.input_tokens, 0), used_output_tokens = coalesce(s.output_tokens, 0),
       used_millionths = coalesce(s.millionths, 0)
  from (select workspace_id, mission_id, count(*) filter (where runner_id is not null or ended_at is null) as launches
          from execution_requests group by 1, 2) l
  left join (select workspace_id, mission_id, count(*) as runs, sum(without_usd) as without_usd,
                    sum(without_tokens) as without_tokens, sum(input_tokens) as input_tokens,
                    sum(output_tokens) as output_tokens, sum(millionths) as millionths
               from usage_before group by 1, 2) s
    on s.workspace_id = l.workspace_id and s.mission_id = l.mission_id
 where m.workspace_id = l.workspace_id and m.id = l.mission_id;

-- next step
update objectives o
   set used_runs = s.runs, used_runs_without_usd = s.without_usd,
       used_runs_without_tokens = s.without_tokens, used_input_tokens = s.input_tokens,
       used_output_tokens = s.output_tokens, used_millionths = s.millionths
  from (select workspace_id, objective_id, count(*) as runs, sum(without_usd) as without_usd,
               sum(without_tokens) as without_tokens, sum(input_tokens) as input_tokens,
               sum(output_tokens) as output_tokens, sum(millionths) as millionths
          from usage_before group by 1, 2) s
 where o.workspace_id = s.workspace_id and o.id = s.objective_id;

-- next step
drop view if exists usage_before;
