-- Output of runs, compressed, with how far it goes and how much there is of it; and what runs changed, a row a file.

-- How many bytes the output has that `bytes` is the compressed form of; null: it is as it came. No default, so that no row is
-- written again. PostgreSQL need not try to compress it once more.
alter table run_log_chunks add column if not exists raw_bytes integer;
alter table run_log_chunks alter column bytes set storage external;

-- next step
-- Of each run the output of its newest generation: where it ends, gaps included, and how much of it was taken in. What the
-- workspace's quota has taken away since is counted all the same.
create table if not exists run_logs (
  workspace_id uuid not null,
  execution_request_id uuid not null,
  generation integer not null,
  end_offset bigint not null,
  kept_bytes bigint not null,
  primary key (workspace_id, execution_request_id),
  foreign key (workspace_id, execution_request_id) references execution_requests
);

-- What the output of a workspace takes up. In parts, by run, so that many runs that print do not wait for one another.
create table if not exists run_log_sums (
  workspace_id uuid not null,
  part integer not null,
  stored_bytes bigint not null,
  primary key (workspace_id, part)
);

-- next step
-- Kept here and not by those who append, delete or take away, so that none of them can forget it. In the order of the parts,
-- so that two that take away do not wait for each other in turn.
create or replace function app.count_run_logs() returns trigger language plpgsql as $$
begin
  insert into run_log_sums (workspace_id, part, stored_bytes)
  select workspace_id, get_byte(uuid_send(execution_request_id), 15) % 16,
         sum(octet_length(bytes)) * case tg_op when 'INSERT' then 1 else -1 end
    from changed group by 1, 2 order by 1, 2
  on conflict (workspace_id, part) do update set stored_bytes = run_log_sums.stored_bytes + excluded.stored_bytes;
  if tg_op = 'INSERT' then
    insert into run_logs (workspace_id, execution_request_id, generation, end_offset, kept_bytes)
    select workspace_id, execution_request_id, generation,
           max(start_offset + coalesce(raw_bytes, octet_length(bytes))), sum(coalesce(raw_bytes, octet_length(bytes)))
      from changed group by 1, 2, 3 order by 1, 2, 3
    on conflict (workspace_id, execution_request_id) do update
       set generation = excluded.generation, end_offset = excluded.end_offset,
           kept_bytes = excluded.kept_bytes
             + case when run_logs.generation = excluded.generation then run_logs.kept_bytes else 0 end
     where run_logs.generation <= excluded.generation;
  end if;
  return null;
end $$;
create or replace trigger count_new after insert on run_log_chunks
  referencing new table as changed for each statement execute function app.count_run_logs();
create or replace trigger count_gone after delete on run_log_chunks
  referencing old table as changed for each statement execute function app.count_run_logs();

-- next step
-- What a run changed, as it was reported: a report that is not complete yet stands next to the one that is, which
-- `run_diffs` names. A patch that is null was not sent, or is a part of the one text of an earlier runner in `run_diffs`.
create table if not exists run_files (
  workspace_id uuid not null,
  execution_request_id uuid not null,
  report text not null,
  position integer not null,
  file_path text not null,
  additions bigint,
  deletions bigint,
  patch text,
  patch_bytes integer,
  primary key (workspace_id, execution_request_id, report, position),
  foreign key (workspace_id, execution_request_id) references execution_requests
);

-- next step
alter table run_diffs
  add column if not exists report text,
  add column if not exists files integer,
  add column if not exists additions bigint,
  add column if not exists deletions bigint;

-- next step
create index concurrently if not exists run_log_chunks_by_age on run_log_chunks (workspace_id, created_at);

-- next step
-- rows of before
-- Set and not added, so that it can be done again; nobody appends meanwhile.
lock table run_log_chunks in share row exclusive mode;
insert into run_logs (workspace_id, execution_request_id, generation, end_offset, kept_bytes)
select distinct on (workspace_id, execution_request_id) workspace_id, execution_request_id, generation,
       max(start_offset + coalesce(raw_bytes, octet_length(bytes))), sum(coalesce(raw_bytes, octet_length(bytes)))
  from run_log_chunks group by 1, 2, 3 order by 1, 2, 3 desc
on conflict (workspace_id, execution_request_id) do update
   set generation = excluded.generation, end_offset = excluded.end_offset, kept_bytes = excluded.kept_bytes;
insert into run_log_sums (workspace_id, part, stored_bytes)
select workspace_id, get_byte(uuid_send(execution_request_id), 15) % 16, sum(octet_length(bytes))
  from run_log_chunks group by 1, 2
on conflict (workspace_id, part) do update set stored_bytes = excluded.stored_bytes;
lock table run_diffs in share row exclusive mode;
insert into run_files (workspace_id, execution_request_id, report, position, file_path, additions, deletions)
select d.workspace_id, d.execution_request_id, 'whole', f.position - 1, f.stat ->> 'filePath',
       (f.stat ->> 'additions')::bigint, (f.stat ->> 'deletions')::bigint
  from run_diffs d
 cross join lateral jsonb_array_elements(d.diff -> 'stat') with ordinality as f(stat, position)
 where d.report is null
on conflict do nothing;
-- its text is not written again with it
update run_diffs d
   set report = 'whole', files = coalesce(f.files, 0), additions = f.additions, deletions = f.deletions
  from run_diffs of
  left join lateral (
    select count(*)::int as files, sum(additions) as additions, sum(deletions) as deletions
      from run_files r
     where r.workspace_id = of.workspace_id and r.execution_request_id = of.execution_request_id
       and r.report = 'whole') f on true
 where d.report is null and of.workspace_id = d.workspace_id
   and of.execution_request_id = d.execution_request_id;
