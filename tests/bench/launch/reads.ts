import { getTypeParser } from '@svc/db/database'
import type { Tables } from '@svc/db/tables'
import { openProcess } from '@svc/domain/testing/open-process'
import { personWith } from '@svc/domain/testing/people'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { Pool } from 'undici'
import { say, spread, table } from '../figures.ts'
import type { Statement } from '../mcp-bare.ts'
import { type BenchProcess, forkBare } from '../processes.ts'
import type { BareReadsOrder } from './bare-reads.ts'
import { cpuOf } from '../cpu.ts'
import { drive, perSecond } from './drive.ts'
import { fillDrafts } from './fill.ts'
import { type Stage, openStage } from './stage.ts'

const rounds = 3
const legMs = 1_200
const connections = 16
const poolSize = 10

interface Leg {
  callsPerSecond: number
  applicationMs: number
  postgresMs: number
}

interface Target {
  name: string
  server: BenchProcess
  path: string
}

/** What it costs to authenticate a call, and a read next to a bare server that runs the same statements. */
export async function measureReads(): Promise<void> {
  await using stage = await openStage({ projects: 1 })
  const [place] = stage.places
  if (!place) throw new Error('the stage has no project')
  const [objective] = await fillDrafts(stage.db, place, 1)
  const { rows } = await sql<{ mission_id: string }>`
    select mission_id from objectives where id = ${objective}`.execute(stage.db)
  const missionId = rows[0]?.mission_id ?? ''
  await using bare = await forkBare(new URL('bare-reads.ts', import.meta.url), {
    databaseUrl: stage.databaseUrl,
    poolSize,
    answers: await record(stage, missionId),
  } satisfies BareReadsOrder)
  const targets: Target[] = [
    { name: 'GET /api/me', server: stage.api, path: '/api/me' },
    { name: 'bare hono, the same statements', server: bare, path: '/me' },
    { name: 'bare hono, without the look-up of the token', server: bare, path: '/me-unasked' },
    { name: 'bare hono, no statement', server: bare, path: '/nothing' },
    { name: 'GET /api/missions/:id', server: stage.api, path: `/api/missions/${missionId}` },
    { name: 'bare hono, the same statements', server: bare, path: '/mission' },
  ]
  const legs = targets.map(() => [] as Leg[])
  for (const target of targets) await measure(stage, target, legMs)
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, target] of targets.entries()) {
      legs[index]?.push(await measure(stage, target, legMs))
    }
  }
  print(targets, legs)
}

/** The statements of a call by one who is known already, as the service sends them now. */
async function record(
  { databaseUrl, tokens }: Stage,
  id: string,
): Promise<BareReadsOrder['answers']> {
  await using domain = await openProcess(databaseUrl, { poolSize, notify: false })
  let statements: Statement[] = []
  await using recorder = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: new pg.Pool({ connectionString: databaseUrl, types: { getTypeParser } }),
    }),
    log: ({ query: { sql: text, parameters } }) => void statements.push({ sql: text, parameters }),
  })
  const { call } = personWith({ ...domain, db: recorder }, tokens[0] ?? '')
  const answerOf = async (work: Promise<unknown>) => {
    const output = await work
    const seen = statements
    statements = []
    return { statements: seen, output }
  }
  const me = await answerOf(call('getMe', {}))
  const mission = await answerOf(call('getMission', { id }))
  return {
    '/me': me,
    '/me-unasked': { ...me, statements: me.statements.slice(1) },
    '/nothing': { ...me, statements: [] },
    '/mission': mission,
  }
}

async function measure(stage: Stage, { server, path }: Target, milliseconds: number): Promise<Leg> {
  const pool = new Pool(server.url, { connections, pipelining: 1 })
  const read = () => ({ application: cpuOf(server.pid), postgres: stage.cpu().postgres })
  const before = read()
  const driven = await drive(connections, milliseconds, async () => {
    const headers = { authorization: `Bearer ${stage.nextToken()}` }
    const answer = await pool.request({ method: 'GET', path, headers })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${path}: ${text}`)
  })
  const after = read()
  await pool.close()
  return {
    callsPerSecond: perSecond(driven),
    applicationMs: (after.application - before.application) / driven.count,
    postgresMs: (after.postgres - before.postgres) / driven.count,
  }
}

function print(targets: readonly Target[], legs: readonly Leg[][]): void {
  say(
    `reads, ${connections} connections, ${rounds} rounds of ${legMs / 1000} s in turn: median (least to most)`,
  )
  table([
    ['', 'calls/s', 'application, CPU ms', 'PostgreSQL, CPU ms'],
    ...targets.map(({ name }, index) => {
      const own = legs[index] ?? []
      return [
        name,
        spread(
          own.map((leg) => leg.callsPerSecond),
          0,
        ),
        spread(
          own.map((leg) => leg.applicationMs),
          2,
        ),
        spread(
          own.map((leg) => leg.postgresMs),
          2,
        ),
      ]
    }),
  ])
  const [me = [], same = [], unasked = [], nothing = [], mission = [], bareMission = []] = legs
  const less = (pick: (leg: Leg) => number, from: readonly Leg[], what: readonly Leg[]) =>
    spread(
      from.map((leg, round) => pick(leg) - pick(what[round] ?? leg)),
      2,
    )
  const both = ({ applicationMs, postgresMs }: Leg) => applicationMs + postgresMs
  const ratio = (one: readonly Leg[], other: readonly Leg[]) =>
    spread(
      one.map((leg, round) => leg.callsPerSecond / (other[round]?.callsPerSecond ?? NaN)),
      2,
    )
  say(
    `the look-up of the token, CPU ms of PostgreSQL a call: ${less((leg) => leg.postgresMs, same, unasked)}`,
  )
  say(`the look-up of the token, CPU ms a call in all: ${less(both, same, unasked)}`)
  say(
    `all that the service does for GET /api/me, above nothing, CPU ms: ${less(both, me, nothing)}`,
  )
  say(`GET /api/me ÷ bare hono with the same statements: ${ratio(me, same)}`)
  say(`GET /api/missions/:id ÷ bare hono with the same statements: ${ratio(mission, bareMission)}`)
}
