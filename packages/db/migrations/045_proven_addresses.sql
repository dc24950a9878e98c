-- When a provider whose domain the operator listed said that the address is this person's. Null: nobody has proven it, and
-- somebody who does takes it.
alter table users add column email_proven_at timestamptz;

-- Whom a provider has brought in so far, the trail tells.
update users u set email_proven_at = u.created_at
 where exists (select from audit_trail a
                where a.action = 'identity.linked' and a.target_id = u.id and a.details ? 'joined');

-- Somebody is back from a provider, and is asked whether the account that has their address is theirs.
alter table openid_requests add column stranger jsonb;
