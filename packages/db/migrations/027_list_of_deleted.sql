-- Those of one workspace that can be restored, the newest first. Its condition is said by that list alone, so that no
-- look for what is or is not deleted is planned through it.
create index missions_deleted_newest on missions (workspace_id, id desc) where deleted_at >= '-infinity';
