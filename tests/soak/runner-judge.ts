import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DeliveryChecks } from '@svc/contracts/check'
import { findStep } from '@svc/runner/run/journal'
import { listUnfinishedRuns } from '@svc/runner/run/run-folder'
import { sql } from 'kysely'
import { commandOf } from '../e2e/support/processes.ts'
import { expectInvariants } from '../invariants.ts'
import { type Ground, type Site, stateOf } from './runner-ground.ts'

/** How a run may fail whose daemon, supervisor or agent was killed; anything else nobody did. */
const explained = ['exited_before_attach', 'attempts_exhausted']

/** What is wrong, once every daemon has stopped: each a sentence. */
export async function judge(ground: Ground): Promise<string[]> {
  return [
    ...(await brokenRules(ground)),
    ...(await lostObjectives(ground)),
    ...(await unexplainedFailures(ground)),
    ...(await repeatedSessions(ground)),
    ...(await strayCommits(ground)),
    ...(await unprovenDeliveries(ground)),
    ...ground.sites.flatMap(leftBehind),
  ]
}

async function brokenRules({ service }: Ground): Promise<string[]> {
  const broken = expectInvariants(service.domain.db)
  return await broken.then(
    () => [],
    (error: unknown) => [String(error)],
  )
}

async function lostObjectives({ service, tasks }: Ground): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: string; n: number }>`
    select o.id, o.state, count(d.id)::int as n from objectives o
      left join deliveries d on d.workspace_id = o.workspace_id and d.objective_id = o.id
     where o.id = any(${tasks.map(({ id }) => id)})
     group by o.id, o.state having o.state <> 'complete' or count(d.id) <> 1`.execute(
    service.domain.db,
  )
  return rows.map(({ id, state, n }) => `objective ${id} is ${state} and was delivered ${n} times`)
}

async function unexplainedFailures({ service }: Ground): Promise<string[]> {
  const { rows } = await sql<{ id: string; status: string; failure: unknown }>`
    select id, status, outcome, failure from execution_requests
     where ended_at is null or failure ->> 'code' <> all(${explained})`.execute(service.domain.db)
  return rows.map((row) => `request ${row.id} is ${row.status}: ${JSON.stringify(row.failure)}`)
}

/** An agent that was not answered attaches anew, and its new session takes the place of the one before. */
async function repeatedSessions({ service }: Ground): Promise<string[]> {
  const { rows } = await sql<{ id: string; generation: number; n: number }>`
    select execution_request_id as id, generation, count(*)::int as n from agent_sessions
     group by 1, 2 having count(*) filter (where end_reason is distinct from 'superseded') > 1`.execute(
    service.domain.db,
  )
  return rows.map(({ id, generation, n }) => `generation ${generation} of ${id} has ${n} sessions`)
}

interface Delivered {
  objective: string
  summary: string
  resource: string | null
  branch: string | null
  missions: string | null
}

/** Each commit that was delivered is on the branch of its run, which is its mission's where no sibling ran. */
async function strayCommits({ service, sites, tasks }: Ground): Promise<string[]> {
  const { rows } = await sql<Delivered>`
    select d.objective_id as objective, d.summary, r.resource_key as resource,
           r.prepared ->> 'branch' as branch, m.active_branch as missions
      from deliveries d
      join agent_sessions s on s.workspace_id = d.workspace_id and s.id = d.session_id
      join execution_requests r on r.workspace_id = s.workspace_id and r.id = s.execution_request_id
      join missions m on m.workspace_id = r.workspace_id and m.id = r.mission_id
     where r.resource_key is not null`.execute(service.domain.db)
  const parallel = new Set(tasks.filter((task) => task.isParallel).map(({ id }) => id))
  const repositories = new Map(
    sites.flatMap(({ checkout }) =>
      checkout ? [[checkout.resourceKey, checkout.repository] as const] : [],
    ),
  )
  return rows.flatMap(({ objective, summary, resource, branch, missions }) => {
    const [, commit = 'no commit'] = /commit ([0-9a-f]{40})/.exec(summary) ?? []
    const heads = ['branch', '--format=%(refname:short)', '--contains', commit]
    const on =
      repositories
        .get(resource ?? '')
        ?.git(...heads)
        .split('\n') ?? []
    const isOnBranch = branch !== null && on.includes(branch)
    const isMissions = parallel.has(objective) || branch === missions
    if (isOnBranch && isMissions) return []
    return [`${commit} of ${objective} is on ${on.join()}, not ${branch} of ${missions}`]
  })
}

/** The check passes wherever it is run, and is of what was delivered; who could not run it says why. */
async function unprovenDeliveries({ service }: Ground): Promise<string[]> {
  const { rows } = await sql<{ objective: string; summary: string; checks: DeliveryChecks | null }>`
    select objective_id as objective, summary, checks from deliveries`.execute(service.domain.db)
  const wrong = rows.filter(({ summary, checks }) => {
    if (checks?.outcome === 'not_run') return checks.reason === null
    const [, commit = null] = /commit ([0-9a-f]{40})/.exec(summary) ?? []
    return checks?.outcome !== 'passed' || checks.commit !== commit
  })
  const nobody = rows.every(({ checks }) => checks?.outcome !== 'passed')
  return [
    ...wrong.map((row) => `${row.objective} was delivered with ${JSON.stringify(row)}`),
    ...(nobody ? ['no delivery was checked'] : []),
  ]
}

function leftBehind({ machine, checkout }: Site): string[] {
  const differences = machine.processes().map((pid) => `process ${pid} is left: ${commandOf(pid)}`)
  differences.push(
    ...listUnfinishedRuns(machine.home).map(({ folder }) => `${folder} is unfinished`),
  )
  for (const { folder, steps } of machine.runs()) {
    for (const name of ['supervisor', 'spawned'] as const) {
      const times = steps.filter(({ step }) => step === name).length
      if (times > 1) differences.push(`${folder} has ${times} times ${name}`)
    }
  }
  if (checkout === undefined) return differences
  const { repository, before } = checkout
  if (stateOf(repository) !== before) {
    differences.push(`${repository.path} was touched:\n${stateOf(repository)}`)
  }
  const folder = join(repository.path, '.git')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  // one that died before it wrote down where it is going leaves a name that nobody takes for alive
  const knew = machine.runs().filter(({ steps }) => findStep(steps, 'prepared') !== undefined)
  const holders = new Set(knew.map((run) => `${basename(run.folder)}.json`))
  const held = names.filter((name) => name.includes('svc/holders') && holders.has(basename(name)))
  return [...differences, ...held.map((name) => `${join(folder, name)} is still held`)]
}
