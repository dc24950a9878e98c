-- Which token minted this one: whoever ends a token ends all that came of it.
alter table user_tokens
  add column parent_id uuid,
  add foreign key (workspace_id, parent_id) references user_tokens;
create index user_tokens_by_parent on user_tokens (workspace_id, parent_id)
  where parent_id is not null;
