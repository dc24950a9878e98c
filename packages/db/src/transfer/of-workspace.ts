import pg from 'pg'
import type { DataTable, QueueTables } from './data-tables.ts'
import { TransferError } from './format.ts'

interface Reference {
  from: string
  column: string
  to: string
  key: string
}

/**
 * Which rows of each table are of one workspace: those that name it, those of other tables that they refer to, such as the
 * people in it, and the tables of one row. What a person has apart from all workspaces, such as a password, is in none.
 */
export async function conditionsOf(
  client: pg.ClientBase,
  { tables, queue, slug }: { tables: readonly DataTable[]; queue: QueueTables; slug: string },
): Promise<ReadonlyMap<string, string>> {
  const id = await findWorkspace(client, slug)
  const references = await listReferences(client)
  const conditions = new Map<string, string>()
  for (const { name, columns } of tables) {
    if (name === 'workspaces') conditions.set(name, `id = ${id}`)
    else if (name === queue.jobs) conditions.set(name, `${queue.workspaceOfJob} = ${id}`)
    else if (columns.includes('workspace_id')) conditions.set(name, `workspace_id = ${id}`)
    else if (columns.includes('single')) conditions.set(name, 'true')
  }
  // each stands after those that it refers to, and so before these when they are gone through from the end
  for (const { name } of tables.toReversed()) {
    if (conditions.has(name)) continue
    const wanted = references
      .filter(({ from, to }) => to === name && from !== name && conditions.get(from) !== 'false')
      .map(
        ({ from, column, key }) =>
          `${key} in (select ${column} from ${from} where ${conditions.get(from)})`,
      )
    conditions.set(name, wanted.join(' or ') || 'false')
  }
  return conditions
}

async function findWorkspace(client: pg.ClientBase, slug: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select id from workspaces where slug = $1', [
    slug,
  ])
  const [found] = rows
  if (found) return pg.escapeLiteral(found.id)
  throw new TransferError(
    `There is no workspace ${slug}: nothing was exported. Give its short name, which svc-admin create-owner was given or its owner chose.`,
  )
}

/** Those by one column; those by more are within a workspace. */
async function listReferences(client: pg.ClientBase): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(`
    select f.conrelid::regclass::text as from, quote_ident(a.attname) as column,
           f.confrelid::regclass::text as to, quote_ident(k.attname) as key
      from pg_constraint f
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      join pg_attribute k on k.attrelid = f.confrelid and k.attnum = f.confkey[1]
     where f.contype = 'f' and cardinality(f.conkey) = 1 and f.connamespace = 'public'::regnamespace
     order by 1, 2`)
  return rows
}
