-- Tokens of applications that end are told of as those are that a person made.
create index user_tokens_of_applications_by_end on user_tokens (expires_at)
  where revoked_at is null and kind = 'oauth';
