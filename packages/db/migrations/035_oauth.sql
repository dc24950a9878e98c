-- An application that asks people for access: one that registered itself, or one whose id is the address of a document
-- that tells the same. None has a secret.
create table oauth_clients (
  id text primary key,
  -- what it calls itself, without what could deceive a reader
  name text not null,
  redirect_uris text[] not null,
  application_type text,
  -- of one that registered itself: equal metadata gives the same client
  metadata_hash bytea unique,
  network text,
  created_at timestamptz not null default app.now(),
  -- nobody needs to know it after that: it was let in by none, or its last token is long over
  kept_until timestamptz not null,
  -- of a document: until when it need not be read again
  fresh_until timestamptz
);
create index oauth_clients_of_network on oauth_clients (network, created_at);
create index oauth_clients_by_age on oauth_clients (created_at);
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
  -- of no workspace before a person has chosen one: that one, and the token that was approved there
  approved_in uuid,
  grant_id uuid,
  used_at timestamptz,
  check ((code_hash is null) = (grant_id is null))
);
create index oauth_requests_by_end on oauth_requests (expires_at);

-- A token that was approved has no secret before its code is exchanged.
alter table user_tokens
  alter column token_hmac drop not null,
  alter column hmac_kid drop not null,
  -- of an oauth token, which may outlive what is known of the client
  add column client_id text,
  add check ((token_hmac is null) = (hmac_kid is null)),
  add check (token_hmac is not null or kind = 'oauth'),
  add check (client_id is null or kind = 'oauth');
create index user_tokens_without_secret on user_tokens (expires_at) where token_hmac is null;
