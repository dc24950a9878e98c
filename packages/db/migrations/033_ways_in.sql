-- The link by which the first owner sets name and password: at most one, and worthless once anybody has a credential.
create table setup_link (
  is_only boolean primary key default true check (is_only),
  secret_hash bytea not null,
  user_id uuid not null references users,
  created_at timestamptz not null default app.now()
);

-- A person at an OpenID provider. Only issuer and subject together say who it is: an e-mail address says nothing.
create table user_identities (
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

-- Tokens whose end a person is told of: neither a lease's, nor one that an application was given.
create index user_tokens_by_end on user_tokens (expires_at)
  where revoked_at is null and kind = 'minted' and objective_id is null;
create index user_tokens_by_label on user_tokens (workspace_id, user_id, label)
  where revoked_at is null and kind = 'minted' and objective_id is null;

create trigger settle_notifications after update of revoked_at on user_tokens
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function app.settle_notifications('token_ends');

-- Whoever mints one that is called the same and lasts longer has renewed it.
create function app.settle_renewed_tokens() returns trigger language plpgsql as $$
begin
  update notifications set read_at = app.now()
   where workspace_id = new.workspace_id and kind = 'token_ends' and read_at is null
     and subject_id = any(array(
       select id from user_tokens
        where workspace_id = new.workspace_id and user_id = new.user_id and label = new.label
          and revoked_at is null and kind = 'minted' and objective_id is null
          and expires_at < new.expires_at));
  return null;
end $$;
create trigger settle_notifications_of_renewed after insert on user_tokens
  for each row when (new.kind = 'minted' and new.objective_id is null)
  execute function app.settle_renewed_tokens();

-- Warnings that nobody has read.
create index notifications_of_ending_tokens on notifications (workspace_id, subject_id)
  where read_at is null and kind = 'token_ends';
