-- Where somebody is a member.
create index concurrently if not exists memberships_of_user on memberships (user_id, workspace_id);

-- next step
-- What a person's removal ends, and by kind which applications they let in.
create index concurrently if not exists user_tokens_in_force on user_tokens (workspace_id, user_id, kind, id)
  where revoked_at is null;

-- next step
-- Open ones alone: what is accepted or revoked is gone, and the audit trail tells of it. Found by secret_hash alone.
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

alter table workspaces
  add column max_token_days integer not null default 366 check (max_token_days between 1 and 366);
