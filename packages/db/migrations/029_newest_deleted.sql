-- Those of one workspace that can be restored, in the order in which they went.
drop index missions_deleted_newest;
create index missions_deleted_newest on missions (workspace_id, deleted_at desc, id desc)
  where deleted_at >= '-infinity';
