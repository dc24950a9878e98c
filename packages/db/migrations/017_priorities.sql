-- Missions of one priority, wherever they stand: of each status from its newest end. `sequence > 0` is said by that look
-- alone, so that no other one is planned through it.
create index concurrently if not exists missions_by_priority on missions (status_id, priority, id)
  where deleted_at is null and sequence > 0;

-- next step
comment on index missions_by_priority is 'for the list of missions of one priority';
