import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase } from '@svc/db/database'
import { openProcess, sealKeys, secretKeys } from '@svc/domain/testing/open-process'
import { personWith } from '@svc/domain/testing/people'
import { projectWith } from '@svc/domain/testing/plans'
import { sql } from 'kysely'
import { type ThrowawayOptions, openThrowawayDatabase } from '@svc/tests/soak/database'
import { type BenchProcess, startApp } from '../processes.ts'
import { inTurn, setUpOwner } from '../tokens.ts'
import { cpuOf, cpuWithChildren } from '../cpu.ts'
import type { Place } from './fill.ts'

const tokenCount = 250

/** A PostgreSQL that waits for its disk, and the API that a deployment runs; the dispatcher beside it when asked for. */
export interface Stage extends AsyncDisposable {
  databaseUrl: string
  /** A connection of the benchmark itself, to fill the database and to look into it. */
  db: Database
  api: BenchProcess
  tokens: readonly string[]
  nextToken: () => string
  places: readonly Place[]
  startDispatcher: () => Promise<BenchProcess>
  /** Milliseconds spent so far. */
  cpu: () => { application: number; postgres: number }
}

export interface StageSetUp {
  projects: number
  settings?: ThrowawayOptions['settings']
  /** For the apps, beside what they need. */
  env?: NodeJS.ProcessEnv
}

export async function openStage({ projects, settings = {}, env }: StageSetUp): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const database = await openThrowawayDatabase({ durable: true, clock: 'real', settings })
  opened.use(database)
  const { tokens, places } = await setUp(database.url, projects)
  const db = opened.use(openDatabase({ url: database.url, poolSize: 2, onError: () => undefined }))
  const environment = () => ({
    DATABASE_URL: database.url,
    SVC_SECRET_KEYS: secretKeys,
    ...env,
  })
  const api = opened.use(await startApp('api', environment))
  const resources = opened.move()
  return {
    databaseUrl: database.url,
    db,
    api,
    tokens,
    nextToken: inTurn(tokens),
    places,
    startDispatcher: () => startApp('dispatcher', environment),
    cpu: () => ({
      application: cpuOf(api.pid),
      postgres: cpuWithChildren(database.serverPid()),
    }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function setUp(databaseUrl: string, projects: number) {
  await using domain = await openProcess(databaseUrl, { notify: false })
  await sealKeys(domain)
  const { workspaceId, userId, tokens } = await setUpOwner(domain, tokenCount)
  const person = personWith(domain, tokens[0] ?? '')
  const places: Place[] = []
  for (let made = 0; made < projects; made += 1) {
    const { id: projectId } = await projectWith(person)
    places.push({ workspaceId, userId, projectId })
  }
  // Each minute the first use of a token is noted; whoever holds one token would not notice, with so many it would count.
  await sql`update user_tokens set last_used_at = app.now() + interval '1 day'`.execute(domain.db)
  return { tokens, places }
}

/** Until the dispatcher has handed on every event. */
export async function untilHandedOn({ db }: Stage): Promise<void> {
  while ((await waitingEvents(db)) > 0) await delay(50)
}

/** How many events wait to be handed on. */
export async function waitingEvents(db: Database): Promise<number> {
  const { rows } = await sql<{ bench_waiting: number }>`
    select count(*) as bench_waiting from webhook_events where fanned_out_at is null`.execute(db)
  return rows[0]?.bench_waiting ?? 0
}
