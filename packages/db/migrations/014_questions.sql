-- What agents ask of people. One of a session is pending at a time: open, or answered and not yet taken by its agent.
create table questions (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  -- the one that it is answered to; a session that goes on with the same work inherits it
  session_id uuid not null,
  agent_identifier text not null,
  question text not null,
  options jsonb not null default '[]',
  allow_free_text boolean not null,
  status text not null default 'open' check
    (status in ('open', 'answered', 'delivered', 'withdrawn', 'expired')),
  answer_option_id text,
  answer_text text,
  answered_by uuid references users,
  answered_at timestamptz,
  -- a reply carried the answer; the next call says that it was read
  shown_at timestamptz,
  asked_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  foreign key (workspace_id, session_id) references agent_sessions,
  check ((answered_at is null) = (answered_by is null)),
  check (status not in ('answered', 'delivered') or answered_at is not null),
  check ((status in ('open', 'answered')) = (closed_at is null))
) with (fillfactor = 70);
create unique index questions_one_pending on questions (session_id, workspace_id)
  where status in ('open', 'answered');
create index questions_pending_of_objective on questions (objective_id, workspace_id)
  where status in ('open', 'answered');
create index questions_of_objective on questions (objective_id, workspace_id, id);
create index questions_of_mission on questions (mission_id, workspace_id, id);
create index questions_open on questions (workspace_id, id) where status = 'open';
-- of all workspaces; by a condition of its own, so that no look-up within one takes it
create index questions_to_expire on questions (expires_at) where closed_at is null;

-- Counted under the mission's lock by the one statement that moves questions, so that lists need not look.
alter table missions add column open_questions integer not null default 0 check (open_questions >= 0);

-- A run that goes on where another one was parked: on the same machine alone.
alter table execution_requests add column resume_of uuid;
alter table execution_requests add column only_device text;
alter table execution_requests add foreign key (workspace_id, resume_of) references execution_requests;

alter table agent_sessions drop constraint agent_sessions_end_reason_check;
alter table agent_sessions add constraint agent_sessions_end_reason_check check
  (end_reason in ('delivered', 'exited', 'superseded', 'cancelled', 'question_expired'));
