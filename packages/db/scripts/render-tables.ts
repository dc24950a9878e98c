import pg from 'pg'
import { jsonTypes, literalTypes } from './column-types.ts'

interface Column {
  table_name: string
  column_name: string
  udt_name: string
  nullable: boolean
  optional: boolean
  generated: boolean
}

const scalar: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  float8: 'number',
  int4: 'number',
  int8: 'number',
  text: 'string',
  timestamptz: 'Timestamp',
  tsvector: 'string',
  uuid: 'string',
  xid8: 'string',
  _text: 'string[]',
  _uuid: 'string[]',
}

const columnsOfOurTables = `
  select c.table_name, c.column_name, c.udt_name, c.is_nullable = 'YES' as nullable,
         c.column_default is not null as optional,
         c.is_identity = 'YES' or c.is_generated = 'ALWAYS' as generated
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
   where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like 'kysely%'
   order by c.table_name, c.ordinal_position`

/** src/tables.ts, as the catalogue of a migrated database has it. */
export async function renderTables(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<Column>(columnsOfOurTables)
  await client.end()
  requireColumns(rows)
  const tables = Map.groupBy(rows, (row) => row.table_name)
  const interfaces = [...tables].map(([name, columns]) => renderTable(name, columns))
  const index = [...tables.keys()].map((name) => `  ${name}: ${typeName(name)}Table`)
  return [
    header(),
    ...interfaces,
    `export interface Tables {\n${index.join('\n')}\n}\n`,
    namesOf(rows, 'timestamptz', 'timeColumns'),
    namesOf(rows, 'bytea', 'byteColumns'),
  ].join('\n')
}

/** A type of a column that has gone, or is another kind of column now, is no type of anything. */
function requireColumns(columns: readonly Column[]): void {
  const kinds = new Map(
    columns.map((column) => [`${column.table_name}.${column.column_name}`, column.udt_name]),
  )
  const lost = [
    ...Object.keys(jsonTypes).filter((key) => kinds.get(key) !== 'jsonb'),
    ...Object.keys(literalTypes).filter((key) => kinds.get(key) !== 'text'),
  ]
  if (lost.length > 0) throw new Error(`column-types.ts names no such columns: ${lost.join(', ')}`)
}

/** For rows that come as JSON, in which a value does not say its type: a name means the same in every table. */
function namesOf(columns: readonly Column[], type: string, name: string): string {
  const typesOf = Map.groupBy(columns, (column) => column.column_name)
  const names = [...typesOf].filter(([, same]) => same.some((column) => column.udt_name === type))
  const mixed = names.find(([, same]) => same.some((column) => column.udt_name !== type))
  if (mixed) throw new Error(`the column ${mixed[0]} is ${type} in one table and not in another`)
  const list = names.map(([column]) => `  '${column}',`).toSorted()
  return `export const ${name}: ReadonlySet<string> = new Set([\n${list.join('\n')}\n])\n`
}

function header(): string {
  const imports = [...new Set([...Object.values(jsonTypes), ...Object.values(literalTypes)])]
    .flatMap((type) => type.imports)
    .toSorted()
  const lines = [...new Set(imports)]
  return [
    '// Made by `npm run tables` from the migrated schema. Do not edit.',
    "import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'",
    ...lines,
    '',
    'type Timestamp = ColumnType<Date, Date | string, Date | string>',
    'type DefaultTimestamp = ColumnType<Date, Date | string | undefined, Date | string>',
    'type Json<T> = ColumnType<T, string, string>',
    '',
  ].join('\n')
}

function renderTable(table: string, columns: Column[]): string {
  const name = typeName(table)
  const fields = columns.map((column) => `  ${column.column_name}: ${renderType(table, column)}`)
  return [
    `export interface ${name}Table {\n${fields.join('\n')}\n}`,
    `export type ${name}Row = Selectable<${name}Table>`,
    `export type New${name} = Insertable<${name}Table>\n`,
  ].join('\n')
}

function renderType(table: string, column: Column): string {
  const key = `${table}.${column.column_name}`
  const base =
    column.udt_name === 'jsonb'
      ? `Json<${jsonTypes[key]?.type ?? 'unknown'}${column.nullable ? ' | null' : ''}>`
      : `${literalTypes[key]?.type ?? scalar[column.udt_name]}`
  if (base === 'undefined') throw new Error(`no type for ${column.udt_name} of ${key}`)
  const nullable = column.nullable && column.udt_name !== 'jsonb' ? `${base} | null` : base
  if (column.generated) return `GeneratedAlways<${nullable}>`
  if (column.udt_name === 'jsonb') return renderJson(column, nullable)
  if (column.optional && nullable === 'Timestamp') return 'DefaultTimestamp'
  return column.optional ? `Generated<${nullable}>` : nullable
}

function renderJson(column: Column, type: string): string {
  if (!column.optional && !column.nullable) return type
  const inner = type.slice('Json<'.length, -1)
  const written = column.nullable ? 'string | null' : 'string'
  return `ColumnType<${inner}, ${written} | undefined, ${written}>`
}

/** `user_tokens` → `UserToken` */
function typeName(table: string): string {
  const words = table.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return words
    .join('')
    .replace(/ies$/, 'y')
    .replace(/(ch|us)es$/, '$1')
    .replace(/([^su])s$/, '$1')
}
