-- PostgreSQL 15 adds no column with a default to a table while a function whose body it has parsed takes a row of it.
create or replace function app.objective_words(mission_title text, objective objectives) returns tsvector
  language sql immutable parallel safe
  as $$ select array_to_tsvector(app.words_of(
    objective.workspace_id,
    mission_title || ' ' || objective.title || ' ' || left(objective.instruction, 20000))) $$;
