import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import type { Role } from '@svc/contracts/permissions'
import type { Domain, DomainConfig } from '../domain.ts'
import { sweep } from '../sweep/sweep.ts'
import { sql } from 'kysely'
import { type Agent, type AgentStart, agentWith } from './agent.ts'
import { advance } from '@svc/testing/clock'
import { enrol } from './enrol.ts'
import { openProcess, sealKeys } from './open-process.ts'
import type { Person } from './people.ts'
import {
  type MissionSetUp,
  type Resource,
  type TestMission,
  missionWith,
  nextName,
  projectWith,
} from './plans.ts'
import type { RunnerSetUp, TestRunner } from './runner.ts'
import { type Run, type RunStage, connectedRunner, runUpTo } from './runs.ts'
import { type Written, rowsWritten } from '@svc/testing/rows-written'

/**
 * Two workspaces with people in them, on a database of the test file's own. Whoever acts does so as a client does:
 * with a token, through what the API offers.
 */
export interface World {
  domain: Domain
  /** Another process of the service on the same database; whoever opens it closes it. */
  openProcess(changes?: Partial<DomainConfig>): Promise<Domain>
  /** alice (admin), bob (member) and vera (viewer) share a workspace; carla is admin of another one. */
  alice: Person
  bob: Person
  vera: Person
  carla: Person
  workspaceId: string
  /** Somebody new in alice's workspace. */
  person(role: Role, name?: string): Promise<Person & { userId: string }>
  projectWith(resources?: readonly Resource[]): Promise<Project>
  /** A mission of its own project with an objective for each instruction. */
  missionWith<const Steps extends readonly string[]>(
    instructions: Steps,
    setUp?: MissionSetUp,
  ): Promise<{ alice: Person; project: Project; mission: TestMission<Steps> }>
  /** A runner of alice's that has been heard of; it takes requests of this project alone. */
  connectedRunner(
    project: { id: string },
    setUp?: Partial<RunnerSetUp> & { owner?: Person },
  ): Promise<TestRunner>
  /** Launched by alice, and brought as far as is said; by a runner of its project's own, when none is given. */
  runUpTo(stage: RunStage, objective: Objective, runner?: TestRunner): Promise<Run>
  /** Launched, claimed and started; its agent has not attached. */
  startedRun(objective: Objective, runner?: TestRunner): Promise<Run>
  attachedRun(objective: Objective, runner?: TestRunner): Promise<Run>
  /** An agent that somebody runs without a request. */
  agentOf(person: Person, start: AgentStart): Agent
  /** Time in which the service went on running: it passes for every clock of ours at once. */
  advance(seconds: number): Promise<void>
  /** Time in which no process of ours ran. */
  outage(seconds: number): Promise<void>
  /** Ends what time has ended by now: one pass of the sweep. */
  settle(): Promise<void>
  rowsWrittenBy(work: () => Promise<unknown>): Promise<Written>
}

export async function openWorld(databaseUrl: string): Promise<World & AsyncDisposable> {
  const domain = await openProcess(databaseUrl)
  await sealKeys(domain)
  const join = (name: string, role: Role, workspace = 'here') =>
    enrol(domain, { workspace, name, role })
  const alice = await join('alice', 'admin')
  return {
    domain,
    openProcess: (changes) => openProcess(databaseUrl, changes),
    workspaceId: alice.workspaceId,
    alice,
    bob: await join('bob', 'member'),
    vera: await join('vera', 'viewer'),
    carla: await join('carla', 'admin', 'elsewhere'),
    person: (role, name = nextName(role)) => join(name, role),
    ...workOf(domain, alice),
    advance: (seconds) => pass(domain, seconds, true),
    outage: (seconds) => pass(domain, seconds, false),
    settle: () => sweep(domain),
    rowsWrittenBy: (work) => rowsWritten(domain.db, work),
    [Symbol.asyncDispose]: () => domain[Symbol.asyncDispose](),
  }
}

/** `swept`: the sweep ran all along, so it forgives no outage. */
async function pass({ db }: Domain, seconds: number, swept: boolean): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await advance(tx, seconds * 1000)
    if (swept) await sql`update sweep_state set last_pass_at = app.now()`.execute(tx)
  })
}

function workOf(domain: Domain, alice: Person) {
  const connected: World['connectedRunner'] = (project, { owner = alice, ...rest } = {}) =>
    connectedRunner(domain, owner, { projectId: project.id, ...rest })

  const runAt: World['runUpTo'] = async (stage, objective, given) => {
    const runner =
      given ??
      (await connected({ id: (await alice.mission({ id: objective.missionId })).projectId }))
    return runUpTo(stage, alice, { objective, runner })
  }

  return {
    projectWith: (resources) => projectWith(alice, resources),
    missionWith: async (instructions, setUp) => ({
      alice,
      ...(await missionWith(alice, instructions, setUp)),
    }),
    connectedRunner: connected,
    runUpTo: runAt,
    startedRun: (objective, runner) => runAt('launched', objective, runner),
    attachedRun: (objective, runner) => runAt('attached', objective, runner),
    agentOf: (person, start) => agentWith(domain, person.token, start),
  } satisfies Partial<World>
}
