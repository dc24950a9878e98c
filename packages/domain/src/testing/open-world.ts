import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import type { Role } from '@svc/contracts/permissions'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Domain, DomainConfig } from '../domain.ts'
import { sweep } from '../sweep/sweep.ts'
import { ensureWorkspace } from '../workspaces/set-up/set-up.ts'
import { sql } from 'kysely'
import { type Agent, type AgentStart, agentWith } from './agent.ts'
import { advance } from '@svc/testing/clock'
import { enrol } from './enrol.ts'
import { openProcess, sealKeys } from './open-process.ts'
import type { Person } from './people.ts'
import { type Lease, type RunnerSetUp, type TestRunner, runnerWith } from './runner.ts'
import { type Written, rowsWritten } from '@svc/testing/rows-written'

type Resource = Omit<RouteRequest<'linkProjectResource'>, 'id'>

export interface MissionSetUp extends Partial<
  Omit<RouteRequest<'createMission'>, 'projectId' | 'objectives'>
> {
  project?: Project
  resources?: Resource[]
}

export interface TestMission<Steps extends readonly string[]> extends Mission {
  /** One for each instruction given, in their order. */
  objectives: { [Index in keyof Steps]: Objective }
}

export interface AttachedRun {
  runner: TestRunner
  lease: Lease
  agent: Agent
}

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
  projectWith(resources?: Resource[]): Promise<Project>
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
  /** Launched, claimed and started; its agent has not attached. */
  startedRun(objective: Objective, runner?: TestRunner): Promise<AttachedRun>
  attachedRun(objective: Objective, runner?: TestRunner): Promise<AttachedRun>
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
  const here = await ensureWorkspace(domain, { slug: 'here', name: 'Here' })
  const elsewhere = await ensureWorkspace(domain, { slug: 'elsewhere', name: 'Elsewhere' })
  const join = (name: string, role: Role, workspaceId = here) =>
    enrol(domain, { workspaceId, name, role })
  const alice = await join('alice', 'admin')
  return {
    domain,
    openProcess: (changes) => openProcess(databaseUrl, changes),
    workspaceId: here,
    alice,
    bob: await join('bob', 'member'),
    vera: await join('vera', 'viewer'),
    carla: await join('carla', 'admin', elsewhere),
    person: (role, name = nextName(role)) => join(name, role),
    ...workOf(domain, alice),
    advance: (seconds) => pass(domain, seconds, true),
    outage: (seconds) => pass(domain, seconds, false),
    settle: () => sweep(domain),
    rowsWrittenBy: (work) => rowsWritten(domain.db, work),
    [Symbol.asyncDispose]: () => domain[Symbol.asyncDispose](),
  }
}

let named = 0
function nextName(prefix: string): string {
  named += 1
  return `${prefix}-${named}`
}

/** `swept`: the sweep ran all along, so it forgives no outage. */
async function pass({ db }: Domain, seconds: number, swept: boolean): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await advance(tx, seconds * 1000)
    if (swept) await sql`update sweep_state set last_pass_at = app.now()`.execute(tx)
  })
}

function workOf(domain: Domain, alice: Person) {
  const projectWith: World['projectWith'] = async (resources = []) => {
    const { project } = await alice.call('createProject', { name: nextName('project') })
    for (const resource of resources) {
      await alice.call('linkProjectResource', { id: project.id, ...resource })
    }
    return project
  }

  const missionWith: World['missionWith'] = async (instructions, setUp = {}) => {
    const { project: given, resources, ...rest } = setUp
    const project = given ?? (await projectWith(resources))
    const { mission, objectives } = await alice.call('createMission', {
      projectId: project.id,
      title: 'A mission',
      objectives: instructions.map((instruction) => ({ instruction })),
      ...rest,
    })
    // the service answers as many objectives as it was given instructions
    return { alice, project, mission: { ...mission, objectives: objectives as never } }
  }

  const connectedRunner: World['connectedRunner'] = async (project, setUp = {}) => {
    const { owner = alice, ...rest } = setUp
    const { token } = await owner.withPreset('runner')
    const runner = runnerWith(domain, token, { projectIds: [project.id], ...rest })
    await runner.claim({ projectIds: [] })
    return runner
  }

  const startedRun: World['startedRun'] = async (objective, given) => {
    const { executionRequest } = await alice.launch(objective)
    const runner = given ?? (await connectedRunner({ id: executionRequest.projectId }))
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    return { runner, lease, agent: runner.agent(lease) }
  }

  const attachedRun: World['attachedRun'] = async (objective, given) => {
    const run = await startedRun(objective, given)
    await run.agent.attach()
    return run
  }

  const agentOf: World['agentOf'] = (person, start) => agentWith(domain, person.token, start)

  return { projectWith, missionWith, connectedRunner, startedRun, attachedRun, agentOf }
}
