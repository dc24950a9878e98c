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
