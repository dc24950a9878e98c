-- The schema, entity by entity; 002_names.sql renames some tables and columns of it. Whatever one workspace owns has
-- workspace_id as the first column of its primary key.

-- One clock for leases, schedules and expiry. Test databases replace the body by one that adds an offset.
create schema app;
create function app.now() returns timestamptz language sql stable parallel safe
  return statement_timestamp();

-- ------------------------------------------------------------------------------------------- workspaces and people

create table workspaces (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  max_token_days integer not null default 366 check (max_token_days between 1 and 366),
  created_at timestamptz not null default app.now()
);

create table users (
  id uuid primary key,
  email text not null,
  -- When a provider whose domain the operator listed said that the address is this person's. Null: nobody has proven it,
  -- and somebody who does takes it.
  email_proven_at timestamptz,
  name text not null,
  created_at timestamptz not null default app.now(),
  disabled_at timestamptz
);
create unique index users_email on users (lower(email));

create table memberships (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, user_id)
);
-- Where somebody is a member.
create index memberships_of_user on memberships (user_id, workspace_id);

-- Open ones alone: what is accepted or revoked is gone, and the audit trail has it. Found by secret_hash alone.
create table invitations (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  invited_by uuid not null references users,
  -- SHA-256 of 256 random bits
  secret_hash bytea not null unique,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  primary key (workspace_id, id)
);
-- a new one for the same address takes the place of the old one
create unique index invitations_of_address on invitations (workspace_id, lower(email));
create index invitations_by_end on invitations (expires_at);

-- Who did what, when and from where, of what changes who may do what. Without foreign keys, so that no deletion reaches
-- it.
create table audit_trail (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz not null default app.now(),
  -- null: done on the server, without a credential
  actor_id uuid,
  token_prefix text,
  came_from text,
  action text not null,
  -- null: of the workspace as a whole
  project_id uuid,
  target_id uuid not null,
  details jsonb not null,
  primary key (workspace_id, id)
);
create index audit_trail_by_action on audit_trail (workspace_id, action, id);

-- A trigger and no privilege: the service may be connected as the owner of the database.
create function app.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are only ever added', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger audit_trail_stays before update or delete or truncate on audit_trail
  for each statement execute function app.refuse_change();

-- ------------------------------------------------------------------------------------------- ways in

-- How a person signs in by a password; who has none never could, or signs in by a provider alone.
create table user_passwords (
  user_id uuid primary key references users,
  -- argon2id with its parameters and salt, in the PHC spelling
  hash text not null,
  changed_at timestamptz not null default app.now()
);

-- A browser that is signed in. Found by secret_hmac alone; it spans the person's workspaces.
create table sign_ins (
  id uuid primary key,
  user_id uuid not null references users,
  secret_hmac bytea not null unique,
  hmac_kid text not null,
  -- how the person tells it from others: what the browser calls itself, and the network it came from
  browser text not null,
  network text,
  created_at timestamptz not null default app.now(),
  last_used_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  ended_at timestamptz
) with (fillfactor = 80);
create index sign_ins_of_user on sign_ins (user_id, id) where ended_at is null;
create index sign_ins_by_end on sign_ins (expires_at);

-- The link by which the first owner sets name and password: at most one, and worthless once anybody has a credential.
create table setup_link (
  is_only boolean primary key default true check (is_only),
  secret_hash bytea not null,
  user_id uuid not null references users,
  created_at timestamptz not null default app.now()
);

-- By which a person sets a new password; a new one takes the place of the old one. Found by secret_hash alone.
create table reset_links (
  user_id uuid primary key references users,
  -- in which workspace an admin made it, and who that was; null: made on the server
  made_in uuid references workspaces,
  made_by uuid references users,
  secret_hash bytea not null unique,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  check ((made_in is null) = (made_by is null))
);
create index reset_links_by_end on reset_links (expires_at);

-- A person at an OpenID provider. Only issuer and subject together say who it is: an e-mail address says nothing.
create table user_identities (
  -- by which a person names an account that is linked to them
  id uuid not null unique default gen_random_uuid(),
  issuer text not null,
  subject text not null,
  user_id uuid not null references users,
  created_at timestamptz not null default app.now(),
  primary key (issuer, subject)
);
create index user_identities_of_user on user_identities (user_id);

-- Somebody was sent to a provider and is not back yet. state, nonce and the PKCE verifier are made of the secret, which
-- only their browser has.
create table openid_requests (
  secret_hash bytea primary key,
  provider text not null,
  -- where to go once signed in
  next text not null,
  -- the sign-in that the identity will be linked for; null: they sign in
  sign_in_id uuid references sign_ins on delete cascade,
  -- somebody is back, and is asked whether the account that has their address is theirs
  stranger jsonb,
  expires_at timestamptz not null
);
create index openid_requests_by_end on openid_requests (expires_at);
create index openid_requests_of_sign_in on openid_requests (sign_in_id) where sign_in_id is not null;

-- How many tries failed since the first of them: of an account, of a network, and of both together.
create table failed_sign_ins (
  bucket bytea primary key,
  failures integer not null,
  since timestamptz not null
) with (fillfactor = 80);
create index failed_sign_ins_by_age on failed_sign_ins (since);

-- A command line that asks somebody to sign it in. Nothing here opens anything: the token that it takes is derived from
-- its verifier, which it keeps to itself.
create table login_requests (
  id uuid primary key,
  -- SHA-256 of the verifier; a repeated request is known by it
  challenge bytea not null unique,
  -- SHA-256 of what the address of its page holds
  handle_hash bytea not null unique,
  -- shown here and there, for the person to compare
  code text not null,
  device text not null,
  -- the network that it came from
  network text not null,
  state text not null default 'open' check (state in ('open', 'approved', 'denied', 'taken', 'burnt')),
  user_id uuid references users,
  approved_in uuid references workspaces,
  token_id uuid,
  taken_at timestamptz,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  check ((state in ('approved', 'taken')) <= (user_id is not null and approved_in is not null)),
  check ((state = 'taken') <= (token_id is not null and taken_at is not null))
) with (fillfactor = 80);
create index login_requests_of_network on login_requests (network, created_at);
create index login_requests_by_end on login_requests (expires_at);

-- ------------------------------------------------------------------------------------------- tokens and applications

-- Found by token_hmac alone: the token is what names the workspace.
create table user_tokens (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null references users,
  kind text not null check (kind in ('minted', 'oauth')),
  preset text,
  scope_kind text not null check (scope_kind in ('full', 'scoped')),
  audiences text[] not null,
  project_ids uuid[],
  objective_id uuid,
  -- which token minted this one: whoever ends a token ends all that came of it
  parent_id uuid,
  -- the client of an oauth token, which may outlive what is known of that client
  client_id text,
  -- a token that an application was approved has no secret before its code is exchanged
  token_hmac bytea unique,
  hmac_kid text,
  prefix text not null,
  label text not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_reason text,
  primary key (workspace_id, id),
  foreign key (workspace_id, parent_id) references user_tokens,
  check (scope_kind = 'scoped' or preset = 'full'),
  check ((token_hmac is null) = (hmac_kid is null)),
  check (token_hmac is not null or kind = 'oauth'),
  check (client_id is null or kind = 'oauth')
);
create index user_tokens_by_parent on user_tokens (workspace_id, parent_id)
  where parent_id is not null;
-- What a person's removal ends, and by kind which applications they let in.
create index user_tokens_in_force on user_tokens (workspace_id, user_id, kind, id)
  where revoked_at is null;
create index user_tokens_without_secret on user_tokens (expires_at) where token_hmac is null;
-- Tokens whose end a person is notified of: those that a person made, no lease's among them, and those of applications.
create index user_tokens_by_end on user_tokens (expires_at)
  where revoked_at is null and kind = 'minted' and objective_id is null;
create index user_tokens_of_applications_by_end on user_tokens (expires_at)
  where revoked_at is null and kind = 'oauth';
create index user_tokens_by_label on user_tokens (workspace_id, user_id, label)
  where revoked_at is null and kind = 'minted' and objective_id is null;

create table user_token_scopes (
  workspace_id uuid not null,
  token_id uuid not null,
  permission text not null,
  primary key (workspace_id, token_id, permission),
  foreign key (workspace_id, token_id) references user_tokens on delete cascade
);

-- An application that asks people for access: one that registered itself, or one whose id is the address of a document
-- that says the same. None has a secret.
create table oauth_clients (
  id text primary key,
  -- what it calls itself, without what could deceive a reader
  name text not null,
  redirect_uris text[] not null,
  application_type text,
  -- null unless it registered itself: equal metadata gives the same client
  metadata_hash bytea unique,
  -- in the order of its bytes, so that its index finds the clients of the networks that begin alike
  network text collate "C",
  created_at timestamptz not null default app.now(),
  -- nobody needs to know it after that: it was let in by none, or its last token is long over
  kept_until timestamptz not null,
  -- until when the document of its id need not be read again
  fresh_until timestamptz
);
create index oauth_clients_of_network on oauth_clients (network, created_at);
create index oauth_clients_by_end on oauth_clients (kept_until);

-- One try of a client to get access, from the request on: its approval puts a code into it, the exchange uses that up.
create table oauth_requests (
  id uuid primary key,
  handle_hash bytea not null unique,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  state text,
  code_challenge text not null,
  resource text not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  code_hash bytea unique,
  code_expires_at timestamptz,
  -- null before a person has chosen a workspace: then that one, and the token that was approved there
  approved_in uuid,
  grant_id uuid,
  used_at timestamptz,
  check ((code_hash is null) = (grant_id is null))
);
create index oauth_requests_by_end on oauth_requests (expires_at);

-- ------------------------------------------------------------------------------------------- projects

create table projects (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  slug text not null check (slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'),
  name text not null,
  default_branch text not null default 'main',
  use_worktrees boolean not null default true,
  -- whether runners bring the branches of this project's runs to origin
  push_branches boolean not null default false,
  max_runtime_minutes integer check (max_runtime_minutes > 0),
  pre_command text,
  pre_launch_commands jsonb not null default '[]',
  -- commands that the agents of this project may run without being asked for leave
  allowed_commands jsonb not null default '[]',
  launch_env_vars jsonb not null default '{}',
  agent_settings jsonb not null default '{}',
  mission_sequence integer not null default 0,
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (workspace_id, slug)
);

create table project_statuses (
  workspace_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  type text not null check (type in ('draft', 'execute', 'review', 'complete', 'blocked', 'cancelled')),
  label text not null,
  position integer not null,
  primary key (workspace_id, id),
  -- what a mission refers to, so that its status is one of its own project
  unique (workspace_id, project_id, id),
  unique (workspace_id, project_id, position) deferrable initially deferred,
  foreign key (workspace_id, project_id) references projects
);

create table project_resources (
  workspace_id uuid not null,
  project_id uuid not null,
  resource_key text not null,
  permission text not null check (permission in ('rw', 'ro')),
  is_primary boolean not null default false,
  -- what branches of this resource are cut from; where none is recorded, the project's default branch
  default_branch text,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, project_id, resource_key),
  foreign key (workspace_id, project_id) references projects
);
create unique index project_resources_one_primary on project_resources (workspace_id, project_id)
  where is_primary;

-- ------------------------------------------------------------------------------------------- runners

create table runners (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null references users,
  fingerprint text not null,
  label text not null,
  platform text not null,
  arch text not null,
  instance_id uuid not null,
  version text not null,
  agents jsonb not null,
  capacity jsonb not null,
  -- the projects that it claims for, as it reported with its last claim; null is every one of the workspace
  project_ids uuid[],
  last_heard_at timestamptz not null,
  removed_at timestamptz,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (workspace_id, user_id, fingerprint)
) with (fillfactor = 70);

-- What a runner says of its checkouts; no foreign key to the resource, which may be unlinked meanwhile.
create table runner_resources (
  workspace_id uuid not null,
  runner_id uuid not null,
  project_id uuid not null,
  resource_key text not null,
  path text not null,
  state text not null check (state in ('usable', 'missing', 'unreadable', 'not_a_repository')),
  primary key (workspace_id, runner_id, project_id, resource_key),
  foreign key (workspace_id, runner_id) references runners on delete cascade
);
create index runner_resources_usable on runner_resources (workspace_id, project_id, resource_key)
  where state = 'usable';

-- ------------------------------------------------------------------------------------------- missions and objectives

-- Here and below, an index of a table that grows begins with what names one thing. Led by the workspace, it passes for the
-- key of a row wherever a plan is made while its table is small, and what keeps that plan then reads a whole workspace for
-- each row.

create table missions (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  sequence integer not null,
  title text not null,
  status_id uuid not null,
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  active_branch text,
  -- whether its runs have worktrees of their own; null where its project says
  use_worktrees boolean,
  allow_parallel_objectives boolean not null default false,
  auto_advance boolean not null default false,
  -- whose right to launch an advance is checked by
  auto_advance_set_by uuid references users,
  -- a delivery whose follow-up failed; the sweep tries again
  advance_owed_by uuid,
  -- counted under the mission's lock by the one statement that moves questions, so that lists need not look
  open_questions integer not null default 0 check (open_questions >= 0),
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  deleted_at timestamptz,
  primary key (workspace_id, id),
  unique (sequence, project_id, workspace_id),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, project_id, status_id)
    references project_statuses (workspace_id, project_id, id),
  check (not auto_advance or auto_advance_set_by is not null)
);
create index missions_newest_of_project on missions (project_id, id);
create index missions_advance_owed on missions (id) where advance_owed_by is not null;
-- The filters of the list of missions. Every mission was updated at some time: only what asks for it is given the index.
-- That of their status serves the deletion of a status as well, which looks for deleted missions too.
create index missions_of_status on missions (status_id, id);
create index missions_updated on missions (workspace_id, updated_at)
  where updated_at is not null and deleted_at is null;
-- What is kept for a while after it was deleted, the oldest first.
create index missions_deleted on missions (deleted_at) where deleted_at is not null;
-- Those of one workspace that can be restored, in the order in which they went, the last first. Its condition is said by
-- that list alone, so that no look for what is or is not deleted is planned through it.
create index missions_deleted_newest on missions (workspace_id, deleted_at desc, id desc)
  where deleted_at >= '-infinity';

-- A mission that is made in a status, or moved to one, which goes in the same moment: as a conflict of the two the call
-- is made once more, and finds what is there then. The foreign key alone would fail it.
create function app.status_is_there() returns trigger language plpgsql as $$
begin
  perform from project_statuses s
    where s.workspace_id = new.workspace_id and s.project_id = new.project_id and s.id = new.status_id
      for key share;
  if not found then
    raise exception 'the status is gone' using errcode = 'serialization_failure';
  end if;
  return new;
end
$$;
create trigger missions_status before insert or update of status_id on missions
  for each row execute function app.status_is_there();

create table objectives (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  key text not null,
  position integer,
  title text not null,
  instruction text not null,
  -- What counts as blank, once for queries and readers: the characters that JavaScript's trim takes away.
  blank boolean not null generated always as (btrim(instruction,
    U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF'
    ) = '') stored,
  state text not null check
    (state in ('draft', 'submitted', 'launching', 'executing', 'complete', 'awaiting_approval')),
  prior_state text check (prior_state in ('draft', 'submitted', 'awaiting_approval')),
  -- holds the mission's one slot while it is active; copied because an index sees one table
  serial boolean not null default false,
  last_outcome text check (last_outcome in ('lost', 'exited', 'cancelled', 'question_expired')),
  assigned_agent text,
  model text,
  reasoning_effort text,
  resource_key text,
  branch text,
  approval_refusal jsonb,
  -- the queue that its delivery advances
  owes_queue_id uuid,
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  completed_at timestamptz,
  deleted_at timestamptz,
  -- where it stood among the others, for its way back
  deleted_position integer,
  -- it went with its mission, and comes back with it
  deleted_with_mission boolean not null default false,
  primary key (workspace_id, id),
  unique (mission_id, key, workspace_id),
  unique (mission_id, position, workspace_id) deferrable initially deferred,
  foreign key (workspace_id, mission_id) references missions,
  check ((position is null) = (deleted_at is not null)),
  check (state <> 'launching' or prior_state is not null),
  check (deleted_at is not null or (deleted_position is null and not deleted_with_mission))
);
create unique index objectives_one_active on objectives (workspace_id, mission_id)
  where state in ('launching', 'executing') and serial;
-- What the sweep looks for, in all workspaces.
create index objectives_launching on objectives (workspace_id, id)
  where state = 'launching';
create index objectives_deleted on objectives (deleted_at)
  where deleted_at is not null and not deleted_with_mission;

-- Files that people give an objective along.
create table attachments (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  name text not null,
  media_type text not null,
  size integer not null,
  sha256 text not null,
  bytes bytea not null,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives
);
-- A runner lays them into one folder, also where letters of either case name the same file.
create unique index attachments_by_name on attachments (objective_id, workspace_id, lower(name));

-- What the agents of a mission leave for each other. A revision is drawn once and for all, so that a key which was
-- removed and set anew is not taken for what it was.
create sequence shared_state_revision;
create table shared_state (
  workspace_id uuid not null,
  mission_id uuid not null,
  key text not null,
  value jsonb not null,
  revision bigint not null default nextval('shared_state_revision'),
  -- who set it last; null: nobody knows
  set_by uuid references users,
  set_by_role text check (set_by_role in ('person', 'agent')),
  updated_at timestamptz not null default app.now(),
  primary key (workspace_id, mission_id, key),
  foreign key (workspace_id, mission_id) references missions
);

-- The branch that a mission, or one of its objectives, has in one resource: where it was cut, and the last that was
-- known of it. It lives as long as the mission. Like a ledger, it has no foreign key to objectives.
create table mission_branches (
  workspace_id uuid not null,
  mission_id uuid not null,
  resource_key text not null,
  -- null: the branch is the mission's
  objective_id uuid,
  branch text not null,
  start_sha text not null,
  last_sha text not null,
  runner_id uuid not null,
  -- the run that was on it last
  execution_request_id uuid not null,
  updated_at timestamptz not null default app.now(),
  unique nulls not distinct (workspace_id, mission_id, resource_key, objective_id),
  foreign key (workspace_id, mission_id) references missions on delete cascade,
  foreign key (workspace_id, runner_id) references runners
);

-- The name that the next branch of a mission has in one resource, given to the first run that asks for one: those that
-- start at the same time use the same, before the branch is there. It lives as long as the mission.
create table reserved_branches (
  workspace_id uuid not null,
  mission_id uuid not null,
  resource_key text not null,
  -- the mission's branch before it; null: there was none
  follows text,
  branch text not null,
  -- where it is to be cut
  runner_id uuid not null,
  unique nulls not distinct (workspace_id, mission_id, resource_key, follows),
  foreign key (workspace_id, mission_id) references missions on delete cascade,
  foreign key (workspace_id, runner_id) references runners
);

-- ------------------------------------------------------------------------------------------- runs and sessions

-- Which of an objective's requests and sessions came later, one count for both. Their ids cannot say it: each process
-- makes them by its own clock. The numbers are drawn under the objective's lock, so of one objective they go up.
create sequence work_order;

create table execution_requests (
  workspace_id uuid not null,
  id uuid not null,
  seq bigint not null default nextval('work_order'),
  project_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  kind text not null check (kind in ('run', 'resume')),
  -- a run that goes on where another one was parked: on the same machine alone
  resume_of uuid,
  only_device text,
  -- A launch may name its runner: only one of that name takes the request. Null is whichever can.
  only_runner text,
  status text not null check
    (status in ('queued', 'claimed', 'launching', 'launched', 'failed', 'cancelled', 'expired')),
  outcome text check (outcome in ('running', 'parked', 'delivered', 'exited', 'lost', 'cancelled')),
  source text not null,
  agent text not null,
  resource_key text,
  -- a person's word that this run begins anew in its resource
  from_base boolean not null default false,
  config jsonb not null,
  attempt integer not null default 1,
  generation integer not null default 0,
  claim_id uuid,
  runner_id uuid,
  lease_expires_at timestamptz,
  lease_renewed_at timestamptz,
  run_after timestamptz not null default app.now(),
  attach_by timestamptz,
  cancel_requested_at timestamptz,
  -- why a person cancelled it
  cancel_reason text,
  -- when its person was notified that no runner can take it, once
  no_runner_told_at timestamptz,
  failure jsonb,
  last_release jsonb,
  -- By runner: why it gave the request back, how often for that reason, and until when it leaves it alone. Others need
  -- not wait.
  waits jsonb not null default '{}',
  prepared jsonb,
  process jsonb,
  exit jsonb,
  advanced_by_delivery_id uuid,
  run_queue_entry_id uuid,
  run_queue_attempt integer,
  requested_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, project_id) references projects,
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  foreign key (workspace_id, runner_id) references runners,
  foreign key (workspace_id, resume_of) references execution_requests,
  check ((status = 'launched') = (outcome is not null)),
  check (status <> 'queued' or lease_expires_at is null)
) with (fillfactor = 70);
create unique index execution_requests_one_live on execution_requests (objective_id, workspace_id)
  where status in ('queued', 'claimed', 'launching')
     or (status = 'launched' and outcome in ('running', 'parked'));
create unique index execution_requests_one_advance
  on execution_requests (workspace_id, advanced_by_delivery_id)
  where advanced_by_delivery_id is not null;
-- One dispatch makes one request, however many planners race.
create unique index execution_requests_one_dispatch
  on execution_requests (workspace_id, run_queue_entry_id, run_queue_attempt)
  where run_queue_entry_id is not null;
create unique index execution_requests_claim on execution_requests (claim_id, workspace_id)
  where claim_id is not null;
-- The newest of an objective, and the lists that show the newest first.
create index execution_requests_of_objective on execution_requests (objective_id, seq);
create index execution_requests_of_mission on execution_requests (mission_id, seq);
-- Every number is above zero: only what asks for that, the list of a whole workspace, is given this index.
create index execution_requests_newest on execution_requests (workspace_id, seq) where seq > 0;
-- A claim looks into the partitions that its runner can take from: the requests of one project, agent and resource, the
-- oldest first. All requests of a partition need the same, so what waits for a runner that is away is passed over whole.
create index execution_requests_lanes on execution_requests
  (workspace_id, project_id, agent, coalesce(resource_key, ''), coalesce(only_runner, ''), created_at, id)
  where status = 'queued';
create index execution_requests_untold on execution_requests
  (workspace_id, project_id, agent, coalesce(resource_key, ''), coalesce(only_runner, ''), created_at, id)
  where status = 'queued' and no_runner_told_at is null;
create index execution_requests_untold_of_device on execution_requests (run_after)
  where status = 'queued' and no_runner_told_at is null and only_device is not null;
-- What runners gave back and leave alone for a while.
create index execution_requests_given_back on execution_requests (workspace_id, resource_key)
  where status = 'queued' and waits <> '{}';
-- What the sweep looks for, in all workspaces: each holds only what is still to end.
create index execution_requests_to_attach on execution_requests (attach_by)
  where status = 'launched' and attach_by is not null;
-- as the predicate of the runs under way is written, so that it is found by it
create index execution_requests_leased on execution_requests (workspace_id, id)
  where status in ('claimed', 'launching', 'launched') and ended_at is null;
create index execution_requests_cancelling on execution_requests (workspace_id, id)
  where cancel_requested_at is not null and ended_at is null;

create table agent_sessions (
  workspace_id uuid not null,
  id uuid not null,
  seq bigint not null default nextval('work_order'),
  mission_id uuid not null,
  objective_id uuid not null,
  execution_request_id uuid,
  generation integer,
  user_id uuid not null references users,
  session_key_hash bytea not null unique,
  agent_identifier text not null,
  model_identifier text,
  external_session_id text,
  title text not null,
  -- what the agent last said of how far it has come
  percent double precision,
  note text,
  phase text not null default 'execute' check (phase in ('execute', 'review')),
  status text not null default 'active' check
    (status in ('active', 'waiting_answer', 'stale', 'lost', 'ended')),
  end_reason text check
    (end_reason in ('delivered', 'exited', 'superseded', 'cancelled', 'question_expired')),
  attached_at timestamptz not null default app.now(),
  last_heard_at timestamptz not null default app.now(),
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  foreign key (workspace_id, execution_request_id) references execution_requests,
  check ((status = 'ended') = (end_reason is not null))
) with (fillfactor = 70);
create unique index agent_sessions_one_live on agent_sessions (objective_id, workspace_id)
  where status in ('active', 'waiting_answer', 'stale');
create index agent_sessions_of_objective on agent_sessions (objective_id, seq);
create index agent_sessions_of_request on agent_sessions (execution_request_id, seq)
  where execution_request_id is not null;
-- Asked when what was deleted is taken away for good.
create index agent_sessions_of_mission on agent_sessions (mission_id, workspace_id);
-- What the sweep looks for, in all workspaces.
create index agent_sessions_listened on agent_sessions (workspace_id, id)
  where status in ('active', 'stale');
create index agent_sessions_alone on agent_sessions (workspace_id, id)
  where status in ('active', 'stale') and execution_request_id is null;

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
-- What the sweep looks for in all workspaces; its condition differs, so that no look-up within one workspace takes it.
create index questions_to_expire on questions (expires_at) where closed_at is null;

create table deliveries (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  session_id uuid,
  summary text not null check (length(summary) between 1 and 20000),
  report jsonb,
  content_hash bytea not null,
  warnings jsonb not null default '[]',
  -- what its answer named as next, for the same call sent again
  next jsonb,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (objective_id, workspace_id),
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  foreign key (workspace_id, session_id) references agent_sessions
);
create index deliveries_of_mission on deliveries (mission_id, id);
create index deliveries_of_session on deliveries (session_id);
-- The few deliveries whose presentation waits for a model: those that waited too long are found by it.
create index deliveries_composing on deliveries (created_at)
  where report #>> '{presentation,status}' = 'composing';

create table artifacts (
  workspace_id uuid not null,
  id uuid not null,
  mission_id uuid not null,
  objective_id uuid,
  delivery_id uuid,
  type text not null,
  label text not null,
  content_text text,
  external_url text,
  revision integer not null default 1,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  foreign key (workspace_id, delivery_id) references deliveries,
  check (content_text is not null or external_url is not null)
);
create index artifacts_of_mission on artifacts (mission_id, id);
create index artifacts_of_delivery on artifacts (delivery_id, id)
  where delivery_id is not null;
-- Asked when what was deleted is taken away for good.
create index artifacts_of_objective on artifacts (objective_id, workspace_id) where objective_id is not null;

create table run_log_chunks (
  workspace_id uuid not null,
  execution_request_id uuid not null,
  generation integer not null,
  start_offset bigint not null,
  skipped bigint not null default 0,
  bytes bytea not null,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, execution_request_id, generation, start_offset),
  foreign key (workspace_id, execution_request_id) references execution_requests
);

create table run_diffs (
  workspace_id uuid not null,
  execution_request_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  diff jsonb not null,
  updated_at timestamptz not null default app.now(),
  primary key (workspace_id, execution_request_id),
  foreign key (workspace_id, execution_request_id) references execution_requests
);
create index run_diffs_of_mission on run_diffs (workspace_id, mission_id);

-- ------------------------------------------------------------------------------------------- ledgers

-- No foreign key to missions or objectives: a report must never wait on a reorder. Decision 14.
create table ledger_batches (
  workspace_id uuid not null,
  objective_id uuid not null,
  batch_id uuid not null,
  mission_id uuid not null,
  session_id uuid not null,
  seq integer not null,
  -- Where one look at a checkout is reported in several batches: which of how many this one is. Null: it only adds.
  part integer,
  parts integer,
  items jsonb not null,
  answer jsonb not null,
  received_at timestamptz not null default app.now(),
  drained_at timestamptz,
  primary key (workspace_id, objective_id, batch_id)
);

create table changed_files (
  workspace_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  file_path text not null,
  vcs_status text not null check
    (vcs_status in ('added', 'modified', 'deleted', 'renamed', 'copied', 'untracked')),
  observed_at timestamptz not null default app.now(),
  primary key (workspace_id, mission_id, objective_id, file_path)
);

create table change_rationales (
  workspace_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  file_path text not null,
  label text not null,
  summary text not null,
  why text not null,
  impact text not null,
  hunks jsonb,
  delivery_id uuid,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, mission_id, objective_id, file_path)
);

-- ------------------------------------------------------------------------------------------- run queues

-- Objectives of a project in the order in which deliveries launch them. Decision 35.
create table run_queues (
  workspace_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  position integer not null,
  -- always there, always first
  is_default boolean not null default false,
  paused_at timestamptz,
  -- a person paused it, or the end of a run did
  paused_by uuid references users,
  pause_reason text check (pause_reason in
    ('run_failed', 'run_lost', 'run_exited', 'run_cancelled', 'question_expired')),
  -- since when a delivery asks for a launch: one advance is pending or none, and they are never counted
  advance_owed_since timestamptz,
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (workspace_id, project_id, position) deferrable initially deferred,
  foreign key (workspace_id, project_id) references projects,
  check (num_nonnulls(paused_by, pause_reason) = num_nonnulls(paused_at)),
  check (is_default = (position = 1))
);
create unique index run_queues_name on run_queues (workspace_id, project_id, lower(name));
-- what a planner looks for, in all workspaces
create index run_queues_owing on run_queues (workspace_id, id)
  where advance_owed_since is not null and paused_at is null;

create table run_queue_entries (
  workspace_id uuid not null,
  id uuid not null,
  run_queue_id uuid not null,
  mission_id uuid not null,
  objective_id uuid not null,
  position integer not null,
  state text not null check (state in ('waiting', 'held', 'dispatched', 'running')),
  -- why it is not launched now
  reason text,
  waiting_on jsonb,
  -- how often it was dispatched
  attempt integer not null default 0,
  -- who said that it is next, whether an advance is pending or not
  turn_granted_by uuid references users,
  queued_by uuid not null references users,
  execution_request_id uuid,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id),
  unique (objective_id, workspace_id),
  unique (run_queue_id, position, workspace_id) deferrable initially deferred,
  foreign key (workspace_id, run_queue_id) references run_queues,
  foreign key (workspace_id, mission_id) references missions,
  foreign key (workspace_id, objective_id) references objectives,
  check ((state in ('waiting', 'held')) = (reason is not null)),
  check (state in ('waiting', 'held') or execution_request_id is not null)
);
create unique index run_queue_entries_one_in_flight on run_queue_entries (run_queue_id, workspace_id)
  where state in ('dispatched', 'running');
create index run_queue_entries_of_mission on run_queue_entries (mission_id, workspace_id);
create index run_queue_entries_granted on run_queue_entries (run_queue_id, workspace_id)
  where turn_granted_by is not null and state = 'waiting';
create index run_queue_entries_in_flight on run_queue_entries (workspace_id, id)
  where state in ('dispatched', 'running');

-- ------------------------------------------------------------------------------------------- history and live feed

-- The order of what happened in a mission, one count for its history and its events. Their ids cannot say it: each
-- process makes them by its own clock. The numbers of events are drawn under the mission's lock, so of one mission they
-- go up.
create sequence event_order;

create table mission_events (
  workspace_id uuid not null,
  id uuid not null,
  sequence bigint not null default nextval('event_order'),
  mission_id uuid not null,
  objective_id uuid,
  type text not null,
  summary text not null,
  data jsonb not null default '{}',
  actor_id uuid,
  actor_role text not null check (actor_role in ('person', 'agent', 'runner', 'service')),
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, id)
);
create index mission_events_of_mission on mission_events (workspace_id, mission_id, id);

-- What the live feed reads, in order of transaction. Decision 54.
create table entity_changes (
  workspace_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  project_id uuid,
  mission_id uuid,
  entity text not null,
  entity_id uuid not null,
  operation text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, xid, seq)
);
create index entity_changes_of_mission on entity_changes (workspace_id, mission_id, xid, seq);
create index entity_changes_age on entity_changes (created_at);

-- One row: changes of transactions below this one are no longer kept; an older cursor must start anew.
create table feed_floor (
  single boolean primary key default true check (single),
  xid xid8 not null default '0'
);
insert into feed_floor default values;

-- ------------------------------------------------------------------------------------------- webhooks

-- The outbox. The event and its job are written in the transaction of the change that they are about.
create table webhook_event (
  workspace_id uuid not null,
  id uuid not null,
  sequence bigint not null default nextval('event_order'),
  project_id uuid not null,
  mission_id uuid not null,
  type text not null,
  occurred_at timestamptz not null default app.now(),
  snapshot jsonb not null,
  fanned_out_at timestamptz,
  swept_at timestamptz,
  sweeps integer not null default 0,
  primary key (workspace_id, id)
);
create index webhook_event_waiting on webhook_event (id) where fanned_out_at is null;

create table webhook_subscription (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  endpoint_url text not null,
  event_types text[] not null check (cardinality(event_types) > 0),
  -- null: every project of the workspace
  project_id uuid,
  payload_mode text not null check (payload_mode in ('thin', 'full')),
  -- sealed under the key ring, with table, workspace and id as its context; gone with the subscription
  secret_ciphertext bytea,
  consecutive_failures integer not null default 0,
  -- whether admins were notified of the present run of failures
  warned boolean not null default false,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('failures', 'manual')),
  -- raised by every re-enabling, so that failures from before it do not count
  epoch integer not null default 1,
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  deleted_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, project_id) references projects,
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((secret_ciphertext is null) = (deleted_at is not null))
) with (fillfactor = 70);

-- The bytes of a payload after its leading id: one row serves every subscriber of that mode.
create table webhook_body (
  workspace_id uuid not null,
  event_id uuid not null,
  mode text not null check (mode in ('thin', 'full')),
  bytes bytea not null,
  primary key (workspace_id, event_id, mode)
);

-- One per event and matching subscription; its id is the idempotency key of the receiver.
create table webhook_delivery (
  workspace_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  kind text not null check (kind in ('event', 'ping')),
  -- null for a ping; no foreign key, since events are purged before deliveries are
  event_id uuid,
  event_type text not null,
  mode text not null check (mode in ('thin', 'full')),
  state text not null check (state in ('pending', 'delivered', 'failed', 'held', 'canceled')),
  -- Set while a person's resend is in flight: what the delivery was before, and is again when the resend does not arrive.
  resent_from text check (resent_from in ('delivered', 'failed', 'held', 'canceled')),
  -- finished ones that count
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  -- the job that the schedule waits for
  job_id uuid,
  -- jobs made so far, for names that are used once
  jobs integer not null default 0,
  epoch integer not null,
  created_at timestamptz not null default app.now(),
  settled_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, subscription_id) references webhook_subscription,
  check ((kind = 'ping') = (event_id is null)),
  check (kind = 'ping' or (state = 'pending') = (next_attempt_at is not null and job_id is not null)),
  check (resent_from is null or state = 'pending')
) with (fillfactor = 80);
create unique index webhook_delivery_one_per_event
  on webhook_delivery (event_id, subscription_id, workspace_id) where kind = 'event';
create index webhook_delivery_log on webhook_delivery (subscription_id, id);
-- How often a webhook was tested lately is asked under its lock; its log is long and its tests are few.
create index webhook_delivery_tests on webhook_delivery (workspace_id, subscription_id, created_at)
  where kind = 'ping';
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where state = 'pending';
-- The held ones of one subscription are counted and recovered in order.
create index webhook_delivery_held on webhook_delivery (workspace_id, subscription_id, id) where state = 'held';

-- One per claim of a job that left a trace; `claim` counts from 0 within its job.
create table webhook_attempt (
  workspace_id uuid not null,
  delivery_id uuid not null,
  job_id uuid not null,
  claim integer not null,
  attempt integer not null,
  trigger text not null check (trigger in ('schedule', 'resend', 'ping')),
  -- Which body it sent: of a full subscription the thin one, once its creator may read no more. Null where nobody knows
  -- whether anything was sent.
  mode text check (mode in ('thin', 'full')),
  started_at timestamptz,
  ended_at timestamptz not null default app.now(),
  outcome text not null check
    (outcome in ('delivered', 'failed', 'not_sent', 'unknown_outcome', 'superseded')),
  -- why it is no success: http_500, timeout, blocked_address, …
  error text,
  -- what was being waited for when it timed out
  phase text,
  status integer,
  duration_ms integer,
  address text,
  response_headers jsonb not null default '{}',
  response_body text,
  response_truncated boolean not null default false,
  primary key (workspace_id, delivery_id, job_id, claim)
);

-- ------------------------------------------------------------------------------------------- notifications and inbox

-- Addressed to a person; `key` is what it is about, once.
create table notifications (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null references users,
  -- null: of the workspace as a whole
  project_id uuid,
  kind text not null,
  key text not null,
  -- what it is about; once its cause has gone, it counts as read
  subject_id uuid,
  title text not null,
  link text not null,
  -- the step that its person takes then
  next jsonb not null,
  created_at timestamptz not null default app.now(),
  read_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, user_id, key)
);
create index notifications_of_person on notifications (user_id, workspace_id, id);
create index notifications_unread on notifications (user_id, workspace_id, id) where read_at is null;
create index notifications_unsettled on notifications (subject_id, workspace_id)
  where read_at is null and subject_id is not null;
-- Warnings that nobody has read.
create index notifications_of_ending_tokens on notifications (workspace_id, subject_id)
  where read_at is null and kind = 'token_ends';

-- What a person or an agent of theirs notes down for later; of one account, and nobody else's business. Nothing of it
-- is in the live feed.
create table inbox_items (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null references users,
  title text not null,
  text text,
  -- what it was turned into, once
  mission_id uuid,
  revision integer not null default 1,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  done_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, mission_id) references missions on delete set null (mission_id)
);
-- A mission that goes for good leaves the item that it was made of.
create index inbox_items_turned on inbox_items (mission_id, workspace_id) where mission_id is not null;
create index inbox_items_of_person on inbox_items (user_id, workspace_id, id);
create index inbox_items_open on inbox_items (user_id, workspace_id, id) where done_at is null;

-- ------------------------------------------------------------------------------------------- search

-- What missions are found by: a text of the title of each, and one of each objective that is not deleted, which is the
-- title of the mission with its own title and the beginning of its instruction. Apart from the rows that they are made
-- of, so that these are read and moved without them. No reader but the search.
create table mission_words (
  workspace_id uuid not null,
  mission_id uuid not null,
  -- the mission itself, or one of its objectives
  text_id uuid not null,
  words tsvector not null,
  primary key (workspace_id, mission_id, text_id),
  foreign key (workspace_id, mission_id) references missions
);
-- Found at once, without a list of what is still to be sorted in, which every search would read.
create index mission_words_found on mission_words using gin (words) with (fastupdate = off);

-- The same for what is kept and for what is asked. A word is what stands between ASCII that is neither letter nor digit,
-- spaces, punctuation and symbols of other scripts; a Chinese or Japanese character is one by itself. Each begins with
-- its workspace, so that the index holds the words of one apart from those of another.
create function app.words_of(workspace_id uuid, given text) returns text[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(distinct right(workspace_id::text, 8) || left(word, 40)), '{}')
      from regexp_split_to_table(
             regexp_replace(lower(normalize(given, nfkc)), '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g'),
             '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u2000-\u2bff\u3000-\u3003\u3008-\u3020\uff00-\uff0f\uff1a-\uff20\U0001f000-\U0001faff]+'
           ) as word
     where word <> '');

-- Every word is asked for; from three characters on, those that begin with it are found too. Null without a word.
create function app.words_query(workspace_id uuid, given text) returns tsquery
  language sql immutable parallel safe
  return (
    select string_agg('''' || word || '''' || case when length(word) > 8 + 2 then ':*' else '' end, ' & ')::tsquery
      from unnest(app.words_of(workspace_id, given)) as word);

create function app.objective_words(mission_title text, objective objectives) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(app.words_of(
    objective.workspace_id,
    mission_title || ' ' || objective.title || ' ' || left(objective.instruction, 20000)));

-- Kept here and not by those who write a title or an instruction, so that none of them can forget it.
create function app.keep_mission_words() returns trigger language plpgsql as $$
begin
  insert into mission_words (workspace_id, mission_id, text_id, words)
  select new.workspace_id, new.id, new.id, array_to_tsvector(app.words_of(new.workspace_id, new.title))
  union all
  select o.workspace_id, o.mission_id, o.id, app.objective_words(new.title, o)
    from objectives o
   where o.workspace_id = new.workspace_id and o.mission_id = new.id and o.deleted_at is null
  on conflict (workspace_id, mission_id, text_id) do update set words = excluded.words;
  return null;
end $$;
create trigger keep_words_of_new after insert on missions
  for each row execute function app.keep_mission_words();
create trigger keep_words after update of title on missions
  for each row when (new.title <> old.title) execute function app.keep_mission_words();

create function app.keep_objective_words() returns trigger language plpgsql as $$
begin
  delete from mission_words
   where workspace_id = new.workspace_id and mission_id = new.mission_id and text_id = new.id
     and new.deleted_at is not null;
  insert into mission_words (workspace_id, mission_id, text_id, words)
  select m.workspace_id, m.id, new.id, app.objective_words(m.title, new)
    from missions m
   where m.workspace_id = new.workspace_id and m.id = new.mission_id and new.deleted_at is null
  on conflict (workspace_id, mission_id, text_id) do update set words = excluded.words;
  return null;
end $$;
create trigger keep_words_of_new after insert on objectives
  for each row execute function app.keep_objective_words();
create trigger keep_words after update of title, instruction, deleted_at on objectives
  for each row when ((new.title, new.instruction, new.deleted_at) is distinct from
                     (old.title, old.instruction, old.deleted_at))
  execute function app.keep_objective_words();

-- ------------------------------------------------------------------------------------------- the service's own

create table idempotency_keys (
  workspace_id uuid not null,
  owner uuid not null,
  route text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  -- text keeps the order of keys, so the same call gets the same bytes
  answer text,
  -- an answer that holds a secret: encrypted, and kept for minutes only
  answer_secret bytea,
  created_at timestamptz not null default app.now(),
  primary key (workspace_id, owner, route, key_hash)
);
create index idempotency_keys_age on idempotency_keys (created_at);
create index idempotency_keys_secret on idempotency_keys (created_at)
  where answer_secret is not null;

-- One row: when the sweep last looked. A longer gap is our own outage and not a runner's silence.
create table sweep_state (
  single boolean primary key default true check (single),
  last_pass_at timestamptz not null
);
insert into sweep_state (last_pass_at) values (app.now());

-- One row: sealed under the key ring, opened by the readiness check.
create table key_canary (
  single boolean primary key default true check (single),
  sealed bytea not null
);
