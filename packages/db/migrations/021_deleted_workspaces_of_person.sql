-- A person reads at their account which workspaces of theirs are deleted.

create index held_memberships_user_id on held_memberships (user_id);
