-- How far the newest conversation of an objective has been counted: what its agent said of all of it, and which run it was.
-- A column with nothing to begin with.
alter table objectives add column if not exists conversation jsonb;
