-- Who set a key of the shared state last. Of those that were set before, nobody knows.
alter table shared_state
  add column set_by uuid references users,
  add column set_by_role text check (set_by_role in ('person', 'agent'));
