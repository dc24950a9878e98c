-- What missions are found by: a text of the title of each, and one of each objective that is not deleted, which is the
-- title of the mission with its own title and the beginning of its instruction. Apart from the rows that they are made
-- of, so that these are read and moved without them. No reader but the search.
create table mission_words (
  workspace_id uuid not null,
  mission_id uuid not null,
  -- the mission itself, or one of its objectives
  text_id uuid not null,
  words tsvector not null,
  primary key (workspace_id, mission_id, text_id),
  foreign key (workspace_id, mission_id) references missions
);

-- The same for what is kept and for what is asked. A word is what stands between ASCII that is neither letter nor digit,
-- spaces, punctuation and symbols of other scripts; a Chinese or Japanese character is one by itself. Each begins with
-- its workspace, so that the index holds the words of one apart from those of another.
create function app.words_of(workspace_id uuid, given text) returns text[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(distinct right(workspace_id::text, 8) || left(word, 40)), '{}')
      from regexp_split_to_table(
             regexp_replace(lower(normalize(given, nfkc)), '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g'),
             '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u2000-\u2bff\u3000-\u3003\u3008-\u3020\uff00-\uff0f\uff1a-\uff20\U0001f000-\U0001faff]+'
           ) as word
     where word <> '');

-- Every word is asked for; from three characters on, those that begin with it are found too. Null without a word.
create function app.words_query(workspace_id uuid, given text) returns tsquery
  language sql immutable parallel safe
  return (
    select string_agg('''' || word || '''' || case when length(word) > 8 + 2 then ':*' else '' end, ' & ')::tsquery
      from unnest(app.words_of(workspace_id, given)) as word);

create function app.objective_words(mission_title text, objective objectives) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(app.words_of(
    objective.workspace_id,
    mission_title || ' ' || objective.title || ' ' || left(objective.instruction, 20000)));

-- Kept here and not by those who write a title or an instruction, so that none of them can forget it.
create function app.keep_mission_words() returns trigger language plpgsql as $$
begin
  insert into mission_words (workspace_id, mission_id, text_id, words)
  select new.workspace_id, new.id, new.id, array_to_tsvector(app.words_of(new.workspace_id, new.title))
  union all
  select o.workspace_id, o.mission_id, o.id, app.objective_words(new.title, o)
    from objectives o
   where o.workspace_id = new.workspace_id and o.mission_id = new.id and o.deleted_at is null
  on conflict (workspace_id, mission_id, text_id) do update set words = excluded.words;
  return null;
end $$;
create trigger keep_words_of_new after insert on missions
  for each row execute function app.keep_mission_words();
create trigger keep_words after update of title on missions
  for each row when (new.title <> old.title) execute function app.keep_mission_words();

create function app.keep_objective_words() returns trigger language plpgsql as $$
begin
  delete from mission_words
   where workspace_id = new.workspace_id and mission_id = new.mission_id and text_id = new.id
     and new.deleted_at is not null;
  insert into mission_words (workspace_id, mission_id, text_id, words)
  select m.workspace_id, m.id, new.id, app.objective_words(m.title, new)
    from missions m
   where m.workspace_id = new.workspace_id and m.id = new.mission_id and new.deleted_at is null
  on conflict (workspace_id, mission_id, text_id) do update set words = excluded.words;
  return null;
end $$;
create trigger keep_words_of_new after insert on objectives
  for each row execute function app.keep_objective_words();
create trigger keep_words after update of title, instruction, deleted_at on objectives
  for each row when ((new.title, new.instruction, new.deleted_at) is distinct from
                     (old.title, old.instruction, old.deleted_at))
  execute function app.keep_objective_words();

insert into mission_words (workspace_id, mission_id, text_id, words)
select workspace_id, id, id, array_to_tsvector(app.words_of(workspace_id, title)) from missions
union all
select o.workspace_id, o.mission_id, o.id, app.objective_words(m.title, o)
  from objectives o join missions m on m.workspace_id = o.workspace_id and m.id = o.mission_id
 where o.deleted_at is null;

-- Found at once, without a list of what is still to be sorted in, which every search would read.
create index mission_words_found on mission_words using gin (words) with (fastupdate = off);

-- The filters of the list of missions. Every mission was updated at some time: only what asks for it is given the index.
-- That of their status serves the deletion of a status as well, which looks for deleted missions too.
create index missions_of_status on missions (status_id, id);
create index missions_updated on missions (workspace_id, updated_at)
  where updated_at is not null and deleted_at is null;
