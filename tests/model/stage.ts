import type { StatusType } from '@svc/contracts/states'
import type { Database } from '@svc/db/database'
import type { Domain } from '@svc/domain/domain'
import { type Member, enrol } from '@svc/domain/testing/enrol'
import { openProcess, sealKeys } from '@svc/domain/testing/open-process'
import type { Person } from '@svc/domain/testing/people'
import { projectWith } from '@svc/domain/testing/plans'
import { listTables } from './tables.ts'
import { type Lease, type TestRunner, runnerWith } from '@svc/domain/testing/runner'
import { sql } from 'kysely'

/** Who acts in a sequence, and what only they know: tokens of leases and keys of sessions. */
export interface Stage {
  domain: Domain
  /** Plans, launches, answers and cancels; the runners are hers. */
  alice: Person
  /** Records work that no run did. */
  bob: Person
  runners: readonly Machine[]
  projectId: string
  statuses: ReadonlyMap<StatusType, string>
  /** Everything that was ever claimed, whoever holds it now. */
  leases: { lease: Lease; runner: TestRunner }[]
  keys: Map<string, string>
  /** Entries of queues that there ever were: one that has gone can still be named. */
  entries: Set<string>
}

export interface Machine {
  id: string
  runner: TestRunner
  /** The linked checkouts that it has. */
  resources: readonly string[]
}

/** The primary resource of the project: a run works in it where no other is named. */
export const primaryResource = 'web'
/** Only one machine has it. */
export const otherResource = 'docs'

const machines = [
  { label: 'first', resources: [primaryResource, otherResource] },
  { label: 'second', resources: [primaryResource] },
] as const

/** The people and machines stay; what they plan begins anew with each sequence. */
export interface Theatre extends AsyncDisposable {
  domain: Domain
  alice: Member
  open(): Promise<Stage>
}

/** Sequences, after which what they left of their rows is taken out of the tables: each look reads past it. */
const vacuumedAfter = 10

/** On a database of its own, with a clock that can be moved: every sequence empties it. */
export async function openTheatre(databaseUrl: string): Promise<Theatre> {
  const domain = await openProcess(databaseUrl, { notify: false })
  await sealKeys(domain)
  const alice = await enrol(domain, { workspace: 'model', name: 'alice' })
  const bob = await enrol(domain, { workspace: 'model', name: 'bob' })
  const { token } = await alice.withPreset('runner')
  let opened = 0
  return {
    domain,
    alice,
    async open() {
      opened += 1
      await empty(domain)
      if (opened % vacuumedAfter === 0) await vacuum(domain)
      return openStage(domain, { alice, bob, token })
    },
    [Symbol.asyncDispose]: () => domain[Symbol.asyncDispose](),
  }
}

interface Cast {
  alice: Person
  bob: Person
  /** A token of the runners. */
  token: string
}

async function openStage(domain: Domain, { alice, bob, token }: Cast): Promise<Stage> {
  const keys = [primaryResource, otherResource]
  const resources = keys.map((resourceKey) => ({
    resourceKey,
    primary: resourceKey === primaryResource,
  }))
  const project = await projectWith(alice, resources)
  const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
  const runners: Machine[] = []
  for (const { label, resources } of machines) {
    const runner = runnerWith(domain, token, {
      projectIds: [project.id],
      label,
      resources: resources.map((resourceKey) => ({ projectId: project.id, resourceKey })),
    })
    await runner.claim()
    const { runners: known } = await alice.call('listRunners', {})
    const id = known.find((one) => one.label === label)?.id
    if (id === undefined) throw new Error('a runner that claims is known')
    runners.push({ id, runner, resources })
  }
  return {
    domain,
    alice,
    bob,
    runners,
    projectId: project.id,
    statuses: new Map(statuses.map(({ type, id }) => [type, id])),
    leases: [],
    keys: new Map(),
    entries: new Set(),
  }
}

/** Deletes without the triggers of foreign keys, so that the order does not matter. A truncation takes far longer. */
async function empty({ db }: Domain): Promise<void> {
  const tables = await tablesOf(db)
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`with ${sql.join(
      tables.map(
        (name, index) => sql`${sql.ref(`gone${index}`)} as (delete from ${sql.raw(name)})`,
      ),
    )} select`.execute(tx)
    await sql`update app.clock set offset_ms = 0`.execute(tx)
    await sql`update sweep_state set last_pass_at = app.now()`.execute(tx)
  })
}

async function vacuum({ db }: Domain): Promise<void> {
  await sql`vacuum ${sql.raw((await tablesOf(db)).join(', '))}`.execute(db)
}

async function tablesOf(db: Database): Promise<string[]> {
  return [...(await listTables(db)), 'runners']
}
