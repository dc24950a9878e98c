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
