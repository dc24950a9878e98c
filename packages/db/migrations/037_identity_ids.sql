-- By which a person names an account that is linked to them.
alter table user_identities add column id uuid not null unique default gen_random_uuid();
