-- The audit trail is kept for a time, and goes by one function alone: whoever prunes adds the entry that tells of it, and the
-- function that this calls takes away what is older than that entry says, in one batch of one workspace. What else deletes,
-- changes or empties is refused as before, by the owner of the database too. A pruning that finds nothing leaves no entry.

-- By whole days, so that those entries, which go in their turn, are a few a day however often somebody looks.
create function app.audit_kept_since(days integer) returns timestamptz language sql stable
  return (date_trunc('day', app.now() at time zone 'utc') - make_interval(days => days)) at time zone 'utc';

create function app.prune_audit_trail() returns trigger language plpgsql as $$
declare
  days integer := (new.details->>'keptDays')::integer;
  removed integer;
  until timestamptz;
begin
  if days is null or days < 30 then
    raise exception 'entries of % stay for 30 days at least', tg_table_name using errcode = 'restrict_violation';
  end if;
  with gone as (
    delete from audit_trail where ctid = any(array(
      select ctid from audit_trail
       where workspace_id = new.workspace_id and created_at < app.audit_kept_since(days)
       order by created_at, id limit 1000 for update skip locked))
    returning created_at)
  select count(*), max(created_at) into removed, until from gone;
  if removed = 0 then
    return null;
  end if;
  new.details := new.details || jsonb_build_object('removed', removed, 'until', until);
  return new;
end
$$;
create trigger audit_trail_is_pruned before insert on audit_trail
  for each row when (new.action = 'audit.pruned') execute function app.prune_audit_trail();

-- A statement that somebody sends is in no trigger yet; that of the function above is in one.
drop trigger audit_trail_stays on audit_trail;
create trigger audit_trail_stays before update or truncate on audit_trail
  for each statement execute function app.refuse_change();
create trigger audit_trail_goes_by_pruning_alone before delete on audit_trail
  for each statement when (pg_trigger_depth() = 0) execute function app.refuse_change();

-- Whatever deletes from within a trigger: what is young stays.
create trigger audit_trail_young_stays before delete on audit_trail
  for each row when (old.created_at >= app.audit_kept_since(30)) execute function app.refuse_change();
