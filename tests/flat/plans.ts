import type { Database } from '@svc/db/database'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { vi } from 'vitest'

export interface Sent {
  text: string
  values: readonly unknown[]
}

/** The others, `begin` and `savepoint` among them, read no table. */
const hasPlan = /^\s*(?:select|with|insert|update|delete)\b/i

/** What this process sends to the database while `work` runs: each text once, with the values it came with last. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent = new Map<string, Sent>()
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    for (const [given] of spy.mock.calls as unknown[][]) {
      // the driver is given a text alone, or one with its values
      const { text, values } =
        typeof given === 'string' ? { text: given, values: [] } : (given as Sent)
      if (hasPlan.test(text)) sent.set(text, { text, values })
    }
  } finally {
    spy.mockRestore()
  }
  return [...sent.values()]
}

/** Hints, and the note that a token was used, which is made at most once a minute. */
const besideCalls = /pg_notify|set "last_used_at"/

/** How many statements this process sends while `work` runs, and what it answers. */
export async function countOf<T>(work: () => Promise<T>): Promise<[number, T]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const answer = await work()
    const texts = spy.mock.calls.map(([given]) =>
      typeof given === 'string' ? given : (given as unknown as Sent).text,
    )
    return [texts.filter((text) => !besideCalls.test(text)).length, answer]
  } finally {
    spy.mockRestore()
  }
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: Node[]
}

/** How a statement reads one table. */
export interface Access {
  table: string
  /** null: all of it, row by row */
  index: string | null
  condition: string
}

export async function accessesOf(db: Database, { text, values }: Sent): Promise<Access[]> {
  const explain = CompiledQuery.raw(`explain (format json) ${text}`, [...values])
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Node }[] }>(explain)
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => walk(Plan, undefined)))
}

function walk(node: Node, table: string | undefined): Access[] {
  const relation = node['Relation Name'] ?? table
  const deeper = (node.Plans ?? []).flatMap((plan) =>
    walk(plan, node['Node Type'] === 'Bitmap Heap Scan' ? relation : undefined),
  )
  if (relation === undefined || !node['Node Type'].endsWith('Scan')) return deeper
  // by their places, or by an index below it
  if (/^(Tid|Bitmap Heap) Scan$/.test(node['Node Type'])) return deeper
  const index = node['Index Name'] ?? null
  return [{ table: relation, index, condition: node['Index Cond'] ?? '' }, ...deeper]
}
