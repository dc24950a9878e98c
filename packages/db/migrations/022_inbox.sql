-- What a person or an agent of theirs notes down for later; of one account, and nobody else's business. Nothing of it
-- is told to the live feed.
create table inbox_items (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null references users,
  title text not null,
  text text,
  -- what it was turned into, once
  mission_id uuid,
  revision integer not null default 1,
  created_at timestamptz not null default app.now(),
  updated_at timestamptz not null default app.now(),
  done_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, mission_id) references missions on delete set null (mission_id)
);
-- A mission that goes for good leaves the item that it was made of.
create index inbox_items_turned on inbox_items (mission_id, workspace_id) where mission_id is not null;
create index inbox_items_of_person on inbox_items (user_id, workspace_id, id);
create index inbox_items_open on inbox_items (user_id, workspace_id, id) where done_at is null;

-- Null: of the workspace as a whole.
alter table notifications add column project_id uuid;
create index notifications_of_person on notifications (user_id, workspace_id, id);
create index notifications_unread on notifications (user_id, workspace_id, id) where read_at is null;
