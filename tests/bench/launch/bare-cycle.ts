/**
 * What a server cannot leave out for one call of a cycle, and nothing else: the look-up of the token, one select that
 * joins and locks mission, objective and request, one statement that writes, and the transaction around them. Statements
 * have names and leave together wherever none needs the answer of another: two round trips a call.
 */
import { createHmac } from 'node:crypto'
import { type IncomingMessage, type Server, createServer } from 'node:http'
import pg from 'pg'
import { serveOrder } from '../serve-order.ts'

export interface BareCycleOrder {
  databaseUrl: string
  poolSize: number
}

export const schema = `
  create schema bare;
  create table bare.token (hmac bytea primary key, user_id uuid not null);
  create table bare.mission (id uuid primary key, status text not null,
    revision int not null default 1, updated_at timestamptz not null default now());
  create table bare.objective (id uuid primary key, mission_id uuid not null, state text not null,
    revision int not null default 1);
  create table bare.request (id uuid primary key, objective_id uuid not null unique,
    status text not null, generation int not null default 0,
    updated_at timestamptz not null default now()) with (fillfactor = 70);
  create table bare.event (id uuid primary key default uuidv7(), mission_id uuid not null,
    type text not null, summary text not null, data jsonb not null default '{}',
    created_at timestamptz not null default now());
  create index on bare.event (mission_id, id);
  create table bare.change (xid xid8 not null default pg_current_xact_id(),
    seq bigint generated always as identity, mission_id uuid, entity text not null,
    entity_id uuid not null, operation text not null, data jsonb not null default '{}',
    created_at timestamptz not null default now(), primary key (xid, seq));
  create index on bare.change (mission_id, xid, seq);
  create index on bare.change (created_at);
  create table bare.outbox (id uuid primary key default uuidv7(), mission_id uuid not null,
    type text not null, snapshot jsonb not null, created_at timestamptz not null default now());
  create table bare.inserted (id uuid primary key default uuidv7(), text text not null)`

export const tokenDigest = (token: string) => createHmac('sha256', 'bare').update(token).digest()

const lookUp = 'select user_id from bare.token where hmac = $1'
const lock = `
  select m.id as mission, o.id as objective, r.id as request, m.status, o.state, r.generation
    from bare.objective o
    join bare.mission m on m.id = o.mission_id
    join bare.request r on r.objective_id = o.id
   where o.id = $1 for no key update`
const write = `
  with m as (update bare.mission set status = $4, revision = revision + 1, updated_at = now()
              where id = $1),
  o as (update bare.objective set state = $4, revision = revision + 1 where id = $2),
  r as (update bare.request set status = $4, generation = generation + 1, updated_at = now()
         where id = $3),
  e as (insert into bare.event (mission_id, type, summary) values ($1, $4, 'A call of the cycle')),
  b as (insert into bare.outbox (mission_id, type, snapshot)
        select $1, $4, '{"mission": {"priority": "normal"}}' from generate_series(1, $5::int))
  insert into bare.change (mission_id, entity, entity_id, operation)
  select $1, 'objective', $2, $4 from generate_series(1, 4)`

/** The calls of which others are told: an event and its job. */
const published = new Set(['/launch', '/deliver'])

interface Locked {
  mission: string
  objective: string
  request: string
}

async function call(pool: pg.Pool, path: string, token: string, id: string): Promise<Locked> {
  const client = await pool.connect()
  try {
    const [found, , locked] = await Promise.all([
      client.query({ name: 'look-up', text: lookUp, values: [tokenDigest(token)] }),
      client.query({ name: 'begin', text: 'begin' }),
      client.query<Locked>({ name: 'lock', text: lock, values: [id] }),
    ])
    const [row] = locked.rows
    if (found.rows.length === 0 || !row) throw new Error(`no token or no objective ${id}`)
    const rows = published.has(path) ? 2 : 0
    const values = [row.mission, row.objective, row.request, path.slice(1), rows]
    await Promise.all([
      client.query({ name: 'write', text: write, values }),
      client.query({ name: 'commit', text: 'commit' }),
    ])
    return row
  } finally {
    client.release()
  }
}

async function bodyOf(request: IncomingMessage): Promise<{ objectiveId: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set
  return JSON.parse(Buffer.concat(chunks).toString()) as { objectiveId: string } // sent by the bench
}

function open({ databaseUrl, poolSize }: BareCycleOrder): { server: Server; pool: pg.Pool } {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, pipeline: true })
  const server = createServer((request, response) => {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
    void bodyOf(request)
      .then(({ objectiveId }) => call(pool, request.url ?? '', token, objectiveId))
      .then(
        (answer) =>
          response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  server.listen(0, '127.0.0.1')
  return { server, pool }
}

if (process.send) serveOrder(open)
