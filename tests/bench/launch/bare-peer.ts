import { sql } from 'kysely'
import pg from 'pg'
import { Pool } from 'undici'
import { forkBare } from '../processes.ts'
import { type BareCycleOrder, schema, tokenDigest } from './bare-cycle.ts'
import { steps } from './cycle.ts'
import { drive, perSecond } from './drive.ts'
import type { Stage } from './stage.ts'

/** As an API process has them where nothing else is set. */
const poolSize = 10
/** More cycles a second than will be reached. */
const ceiling = 800
const token = 'bare'

export interface BarePeer extends AsyncDisposable {
  /** Cycles a second. */
  cycles: (clients: number, milliseconds: number) => Promise<number>
  /** Rows a second, one in each transaction. */
  inserts: (connections: number, milliseconds: number) => Promise<number>
}

export async function openBarePeer({ db, databaseUrl }: Stage): Promise<BarePeer> {
  await sql.raw(schema).execute(db)
  await sql`insert into bare.token values (${tokenDigest(token)}, uuidv7())`.execute(db)
  const order: BareCycleOrder = { databaseUrl, poolSize }
  const server = await forkBare(new URL('bare-cycle.ts', import.meta.url), order)

  async function layOut(count: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      with made as (select uuidv7() as id, uuidv7() as mission from generate_series(1, ${count}::int)),
      m as (insert into bare.mission (id, status) select mission, 'draft' from made),
      r as (insert into bare.request (id, objective_id, status) select uuidv7(), id, 'draft' from made),
      o as (insert into bare.objective (id, mission_id, state) select id, mission, 'draft' from made)
      select id from made`.execute(db)
    return rows.map((row) => row.id)
  }

  async function cycles(clients: number, milliseconds: number): Promise<number> {
    const objectives = await layOut(Math.ceil((ceiling * milliseconds) / 1000))
    await using pool = openPool(server.url, clients)
    const driven = await drive(clients, milliseconds, async () => {
      const body = JSON.stringify({ objectiveId: objectives.pop() })
      for (const step of Object.keys(steps)) await post(pool, `/${step}`, body)
    })
    return perSecond(driven)
  }

  async function inserts(connections: number, milliseconds: number): Promise<number> {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: connections })
    const text = 'insert into bare.inserted (text) values ($1)'
    const insert = () => pool.query({ name: 'insert', text, values: ['x'.repeat(100)] })
    const driven = await drive(connections, milliseconds, insert)
    await pool.end()
    return perSecond(driven)
  }

  return { cycles, inserts, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

function openPool(origin: string, connections: number): Pool & AsyncDisposable {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() })
}

async function post(pool: Pool, path: string, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await pool.request({ method: 'POST', path, headers, body })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${path}: ${text}`)
}
