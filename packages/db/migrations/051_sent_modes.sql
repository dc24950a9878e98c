-- Which body an attempt sent: of a full subscription the thin one, once its creator may read no more. Null where nobody
-- knows whether anything was sent, and before this was kept.
alter table webhook_attempt add column if not exists mode text;

-- next step
alter table webhook_attempt
  drop constraint if exists webhook_attempt_mode_check,
  add constraint webhook_attempt_mode_check check (mode in ('thin', 'full')) not valid;

-- next step
alter table webhook_attempt validate constraint webhook_attempt_mode_check;
