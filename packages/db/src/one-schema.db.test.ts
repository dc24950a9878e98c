import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { migrateSchema } from './migrate-schema.ts'
import { on, useDatabases } from './testing/databases.ts'

const { emptyDatabase } = useDatabases()

/** Those of PostgreSQL's own apart, and of the notes of what was applied. */
const ours = (namespace: string, name: string) =>
  `${namespace} in (select oid from pg_namespace where nspname !~ '^(pg_|information_schema$)')
    and ${name} not like '%kysely%'`

/** What holds whatever the order of the columns and the numbers that the server gives things. */
const catalogue = {
  schemas: `select nspname, nspacl::text, obj_description(oid) from pg_namespace where nspname !~ '^pg_'`,
  extensions: 'select extname, extversion, extnamespace::regnamespace::text from pg_extension',
  relations: `
    select relnamespace::regnamespace::text, relname, relkind, relpersistence, relrowsecurity, relforcerowsecurity,
           relreplident, relispartition, reloptions, relacl::text, relnatts - (
             select count(*) from pg_attribute a where a.attrelid = c.oid and a.attisdropped) as columns,
           (select amname from pg_am where oid = relam) as method, reltablespace, obj_description(oid, 'pg_class')
      from pg_class c where ${ours('relnamespace', 'relname')}`,
  columns: `
    select attrelid::regclass::text as of, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
           attgenerated, pg_get_expr(adbin, adrelid) as value, attcollation::regcollation::text, attstattarget,
           attstorage, attcompression, attoptions, attacl::text, attislocal, col_description(attrelid, attnum)
      from pg_attribute join pg_class c on c.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attnum > 0 and not attisdropped and relkind <> 'i' and ${ours('relnamespace', 'relname')}`,
  constraints: `
    select conrelid::regclass::text as of, conname, contype, pg_get_constraintdef(k.oid), condeferrable, condeferred,
           convalidated, connoinherit, conislocal, conindid::regclass::text, obj_description(k.oid, 'pg_constraint')
      from pg_constraint k join pg_class c on c.oid = conrelid where ${ours('connamespace', 'relname')}`,
  indexes: `
    select c.relname, indrelid::regclass::text as of, pg_get_indexdef(c.oid), indisunique, indisprimary,
           indisexclusion, indimmediate, indisclustered, indisvalid, indisready, indislive, indisreplident,
           indnullsnotdistinct,
           array(select attstattarget from pg_attribute where attrelid = c.oid order by attnum) as targets
      from pg_index join pg_class c on c.oid = indexrelid where ${ours('c.relnamespace', 'c.relname')}`,
  functions: `
    select p.oid::regprocedure::text, pg_get_functiondef(p.oid), proacl::text, obj_description(p.oid, 'pg_proc')
      from pg_proc p where ${ours('pronamespace', 'proname')}`,
  triggers: `
    select tgrelid::regclass::text as of, tgname, pg_get_triggerdef(t.oid), tgenabled, tgdeferrable, tginitdeferred
      from pg_trigger t where not tgisinternal`,
  // one of each foreign key for either side, whose own names hold numbers
  triggersOfKeys: `
    select tgrelid::regclass::text as of, tgfoid::regproc::text, tgenabled, conname
      from pg_trigger t join pg_constraint k on k.oid = tgconstraint where tgisinternal`,
  sequences: `
    select schemaname, sequencename, data_type::text, start_value, min_value, max_value, increment_by, cycle,
           cache_size, last_value from pg_sequences`,
  ownedSequences: `
    select objid::regclass::text as sequence, refobjid::regclass::text as of, attname, deptype
      from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
      join pg_class c on c.oid = objid
     where classid = 'pg_class'::regclass and relkind = 'S' and deptype in ('a', 'i')`,
  types: `
    select typname, typtype, typcategory, typacl::text from pg_type where ${ours('typnamespace', 'typname')}`,
  rules: `
    select ev_class::regclass::text, rulename, pg_get_ruledef(r.oid) from pg_rewrite r
      join pg_class c on c.oid = ev_class where ${ours('relnamespace', 'relname')}`,
  policies: 'select * from pg_policies',
  statistics: 'select stxname, stxrelid::regclass::text, stxkeys::text from pg_statistic_ext',
  publications: 'select pubname from pg_publication',
  eventTriggers: 'select evtname from pg_event_trigger',
  defaultPrivileges: 'select defaclacl::text from pg_default_acl',
  settings: `
    select setconfig from pg_db_role_setting join pg_database d on d.oid = setdatabase
     where datname = current_database()`,
  collations: `select collname from pg_collation where ${ours('collnamespace', 'collname')}`,
  casts:
    'select castsource::regtype::text, casttarget::regtype::text from pg_cast where oid >= 16384',
  operators: `select oprname from pg_operator where ${ours('oprnamespace', 'oprname')}`,
}

async function catalogueOf(url: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [what, query] of Object.entries(catalogue)) {
    const rows = await on(url, query)
    found[what] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return found
}

/** Every row that is there before anybody has called; of a moment, whether it is known. */
async function rowsOf(url: string): Promise<Record<string, object[]>> {
  const tables = await on<{ name: string }>(
    url,
    `select oid::regclass::text as name from pg_class
      where relkind in ('r', 'p', 'm') and ${ours('relnamespace', 'relname')} order by 1`,
  )
  const found: Record<string, object[]> = {}
  for (const { name } of tables) {
    const rows = await on<Record<string, unknown>>(url, `select * from ${name}`)
    found[name] = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          value instanceof Date ? 'a moment' : value,
        ]),
      ),
    )
  }
  return found
}

test('the schema in one file and the migrations in their order make the same database', async () => {
  const migrated = await emptyDatabase()
  await migrateSchema(migrated)
  const made = await emptyDatabase()
  await on(made, await readFile(new URL('../schema.sql', import.meta.url), 'utf8'))

  const before = await catalogueOf(migrated)
  expect(await catalogueOf(made)).toEqual(before)
  expect(before['columns']?.length).toBeGreaterThan(400)
  expect(before['triggers']?.length).toBeGreaterThan(10)

  const rows = await rowsOf(migrated)
  expect(await rowsOf(made)).toEqual(rows)
  expect(rows).toMatchObject({
    feed_floor: [{ single: true, xid: '0' }],
    sweep_state: [{ single: true, last_pass_at: 'a moment' }],
  })
})
