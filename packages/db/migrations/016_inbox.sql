-- By what an item was noted down, and that it was turned into a mission, by what and when: that is kept also when the mission
-- goes for good. Null where it was done before this was kept; no default, so that no row is written again.
alter table inbox_items
  add column if not exists noted_by jsonb,
  add column if not exists turned_at timestamptz,
  add column if not exists turned_by jsonb;

-- next step
create index concurrently if not exists inbox_items_turned_of_person on inbox_items (user_id, workspace_id, id)
  where turned_at is not null;

-- next step
-- rows of before
-- Set and not added, so that it can be done again.
update inbox_items set turned_at = coalesce(done_at, updated_at) where mission_id is not null and turned_at is null;
