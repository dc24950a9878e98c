import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '@svc/client/client'
import type { Project } from '@svc/contracts/project'
import { missionWith, projectWith } from '@svc/domain/testing/plans'
import { highLimits } from '@svc/testing/high-limits'
import { checkWith } from '../e2e/support/check-with.ts'
import { type Machine, openMachine } from '../e2e/support/machine.ts'
import { createRepository, type Repository, temporaryFolder } from '@svc/testing/temporary'
import { type Service, openService } from '../e2e/support/service.ts'

/** What a person works on in a checkout of theirs, and what no runner may touch. */
export interface Checkout {
  resourceKey: string
  repository: Repository
  /** As it was before anything ran. */
  before: string
}

export interface Site {
  machine: Machine
  project: Project
  /** Undefined: its project has no resources, and any machine of it takes its work. */
  checkout: Checkout | undefined
}

/** An objective that has to be delivered. */
export interface Task {
  id: string
  missionId: string
  resourceKey: string | undefined
  /** One that is told everything by its arguments, or one that is spoken with. */
  agent: 'scripted' | 'speaks'
  /** Launched while others of its mission run. */
  isParallel: boolean
}

export interface Ground extends AsyncDisposable {
  service: Service
  client: Client
  sites: readonly Site[]
  tasks: readonly Task[]
}

export interface GroundSetUp {
  databaseUrl: string
  daemons: number
  requests: number
  random: () => number
}

const daemonsOfProject = 4
/** Stands before each delivery, and passes. */
const checks = { head: { command: 'git rev-parse HEAD || pwd' } }
/** Nothing lapses by itself on a slow machine: what is to lapse is made to. */
const patience = {
  SVC_LEASE_SECONDS: '60',
  SVC_HEARTBEAT_SECONDS: '1',
  SVC_ATTACH_SECONDS: '600',
}

/** A service, its projects, a started daemon on each machine with a linked checkout, and missions to carry out. */
export async function openGround(setUp: GroundSetUp): Promise<Ground> {
  await using opened = new AsyncDisposableStack()
  const { path: folder } = opened.use(temporaryFolder())
  const service = opened.use(await openService(setUp.databaseUrl, { ...highLimits, ...patience }))
  const client = createClient({
    baseUrl: service.baseUrl,
    token: await service.token({ person: 'owner' }),
  })
  const runnerToken = await service.token({ person: 'owner', preset: 'runner' })
  const projects: Project[] = []
  for (let index = 0; index < Math.max(2, setUp.daemons / daemonsOfProject); index += 1) {
    projects.push(await projectWith(client))
  }
  const sites: Site[] = []
  for (let index = 0; index < setUp.daemons; index += 1) {
    const at = index % projects.length
    const project = projects[at]
    if (project === undefined) throw new Error('a machine needs a project')
    const { baseUrl } = service
    const machine = opened.use(
      await openMachine({ baseUrl, token: runnerToken, project: project.slug, max: 2 }),
    )
    const resourceKey = `checkout-${index}`
    const hasCheckout = at % 2 === 0
    const checkout = hasCheckout ? openCheckout(join(folder, resourceKey), resourceKey) : undefined
    if (checkout) {
      await client.call('linkProjectResource', { id: project.id, resourceKey })
      machine.link(project, resourceKey, checkout.repository.path)
    }
    await checkWith({ scene: { client, project }, machine }, checks)
    machine.start()
    sites.push({ machine, project, checkout })
  }
  const tasks = await planTasks(client, sites, setUp)
  const kept = opened.move()
  return { service, client, sites, tasks, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** What the agent that is spoken with does, in the words of its objective; the other one does the same by itself. */
const spokenSteps = [
  'run svc protocol attach --agent speaks > .svc/tmp/attach.json',
  'call work',
  'run at="$SVC_EXECUTION_REQUEST_ID.md"; date >> "$at"; ! git rev-parse -q --git-dir || { git add "$at" && git -c user.name=A -c user.email=a@example.com commit -q -m Work -- "$at"; }',
  'say Half of it is done.',
  "run svc protocol update --text 'Half of it is done.'",
  'run svc protocol deliver --summary "Done (commit $(git rev-parse HEAD || echo none))."',
]
  .map((step) => `step: ${step}`)
  .join('\n')

function openCheckout(path: string, resourceKey: string): Checkout {
  const repository = createRepository(path)
  writeFileSync(join(path, 'README.md'), '# Not saved yet\n')
  writeFileSync(join(path, 'notes.md'), 'Nobody else may have these.\n')
  return { resourceKey, repository, before: stateOf(repository) }
}

/** All that a person would see of their checkout. */
export function stateOf({ path, git }: Repository): string {
  return [
    git('branch', '--show-current'),
    git('rev-parse', 'HEAD'),
    git('status', '--porcelain'),
    git('stash', 'list'),
    readFileSync(join(path, 'README.md'), 'utf8'),
    readFileSync(join(path, 'notes.md'), 'utf8'),
  ].join('\n')
}

async function planTasks(
  client: Client,
  sites: readonly Site[],
  { requests, random }: GroundSetUp,
): Promise<Task[]> {
  const tasks: Task[] = []
  for (let made = 0; tasks.length < requests; made += 1) {
    const site = sites[made % sites.length]
    if (site === undefined) throw new Error('a soak test needs a daemon')
    const resourceKey = site.checkout?.resourceKey
    const isParallel = random() < 0.5
    const count = Math.min(requests - tasks.length, 1 + Math.floor(random() * 4))
    const { mission } = await missionWith(
      client,
      Array.from(
        { length: count },
        (_, index) => `Do part ${index} of ${made}.\nscripted: slow=0.1\n${spokenSteps}`,
      ),
      { project: site.project, title: `Mission ${made}`, allowParallelObjectives: isParallel },
    )
    const { id: missionId } = mission
    const agentOf = () => (random() < 1 / 3 ? 'speaks' : 'scripted')
    tasks.push(
      ...mission.objectives.map(({ id }): Task => ({
        id,
        missionId,
        resourceKey,
        isParallel,
        agent: agentOf(),
      })),
    )
  }
  return tasks
}
