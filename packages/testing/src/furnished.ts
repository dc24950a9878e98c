import { randomUUID } from 'node:crypto'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import type { Domain } from '@svc/domain/domain'
import type { Operation } from './operations.ts'
import type { Person } from './people.ts'
import { type Lease, runnerWith } from './runner.ts'

/** From the widest to the narrowest: what a caller may see ends somewhere between two of them. */
export const levels = ['workspace', 'project', 'mission', 'objective'] as const
export type Level = (typeof levels)[number]

/** The arguments of operations that name something, and of what each is. */
export const levelOf = {
  tokenId: 'workspace',
  projectId: 'project',
  projectIds: 'project',
  statusId: 'project',
  statusIds: 'project',
  webhookId: 'project',
  deliveryId: 'project',
  missionId: 'mission',
  missionIds: 'mission',
  artifactId: 'mission',
  objectiveId: 'objective',
  objectiveIds: 'objective',
  executionRequestId: 'objective',
  sessionKey: 'objective',
  leases: 'objective',
} as const satisfies Record<string, Level>

export type Naming = keyof typeof levelOf
/** A value for each argument that names something. */
export type Names = Readonly<Record<Naming, unknown>>

/** What the `id` of a path names, by the part of the path before it. */
const namedByPath: Record<string, Naming> = {
  projects: 'projectId',
  missions: 'missionId',
  objectives: 'objectiveId',
  'execution-requests': 'executionRequestId',
  requests: 'executionRequestId',
  webhooks: 'webhookId',
  'user-tokens': 'tokenId',
}

/** What this field of the operation names, if anything. */
export function namingOf({ name, idOf }: Operation, field: string): Naming | undefined {
  if (field !== 'id') return field in levelOf ? (field as Naming) : undefined // it is one of its keys
  const naming = namedByPath[idOf ?? '']
  if (!naming) throw new Error(`${name}: say in namedByPath what its id names`)
  return naming
}

/** One objective under way with all that hangs on it, and every name by which an operation can reach any of it. */
export interface Furnished {
  project: Project
  mission: Mission
  objective: Objective
  lease: Lease
  names: Names
  /** The same with display ids in place of UUIDs. */
  displayNames: Names
}

interface Around {
  domain: Domain
  /** Of webhooks; without it there are none. */
  receiver?: { url: string }
}

interface Order {
  project?: Project
  mission?: Mission
  /** Whose runner and agent are at work, when it is not the person. */
  runnerOf?: Person
}

let count = 0

/** Made by the calls of this person, an admin; in what is given, else in a project and a mission of its own. */
export async function furnish(
  { domain, receiver }: Around,
  person: Person,
  { runnerOf = person, ...given }: Order = {},
): Promise<Furnished> {
  const { call } = person
  count += 1
  const project =
    given.project ?? (await call('createProject', { name: `furnished ${count}` })).project
  const title = `Furnished ${count}`
  const order = { projectId: project.id, title, allowParallelObjectives: true }
  const mission = given.mission ?? (await call('createMission', order)).mission
  const { objectives } = await call('addObjectives', {
    id: mission.id,
    objectives: [{ instruction: `instruction ${count}` }],
  })
  const objective = objectives.at(-1)
  if (!objective) throw new Error('an objective was added')
  await person.launch(objective)
  const { lease, sessionKey } = await run(domain, runnerOf, project)
  const { artifact } = await call('createArtifact', {
    id: mission.id,
    type: 'note',
    label: `artifact ${count}`,
    contentText: 'x',
  })
  const { statuses } = await call('listProjectStatuses', { id: project.id })
  const { userToken } = await call('createUserToken', { label: 'other', preset: 'read_only' })
  const names: Names = {
    tokenId: userToken.id,
    projectId: project.id,
    projectIds: [project.id],
    statusId: statuses[0]?.id,
    statusIds: statuses.map((status) => status.id),
    webhookId: receiver ? await subscribe(person, project, receiver.url) : randomUUID(),
    deliveryId: randomUUID(),
    missionId: mission.id,
    missionIds: [mission.id],
    artifactId: artifact.id,
    objectiveId: objective.id,
    objectiveIds: [objective.id],
    executionRequestId: lease.id,
    sessionKey,
    leases: [{ requestId: lease.id, leaseToken: lease.leaseToken, state: 'running' }],
  }
  const displayNames = {
    ...names,
    missionId: mission.displayId,
    missionIds: [mission.displayId],
    objectiveId: objective.displayId,
    objectiveIds: [objective.displayId],
    sessionKey: objective.displayId,
  }
  return { project, mission, objective, lease, names, displayNames }
}

async function subscribe({ call }: Person, { id: projectId }: Project, endpointUrl: string) {
  const order = { name: 'Furnished', endpointUrl, eventTypes: ['mission.blocked'], projectId }
  return (await call('createWebhook', order)).webhook.id
}

async function run(domain: Domain, owner: Person, project: Project) {
  const { token } = await owner.withPreset('runner')
  const runner = runnerWith(domain, token, { projectIds: [project.id] })
  const lease = await runner.take()
  await runner.launching(lease, 'svc/furnished')
  await runner.launched(lease)
  const agent = runner.agent(lease)
  await agent.attach()
  await runner.log(lease, 0, 'output')
  await runner.diff(lease)
  return { lease, sessionKey: agent.sessionKey() }
}

/** Names of the same form as these that name nothing: a mission that is not there, or no objective of one that is. */
export function unknownNames(
  { names, displayNames }: Furnished,
  level: Level,
): [names: Names, display: Names] {
  const id = '00000000-0000-7000-8000-000000000000'
  const of = (given: unknown): unknown => {
    if (isTexts(given)) return given.map(of)
    if (typeof given !== 'string') return JSON.parse(JSON.stringify(given).replace(uuids, id))
    if (given.startsWith('sess_')) return `sess_${'x'.repeat(given.length - 5)}`
    const other = given.replace(uuids, id)
    return level === 'objective' ? other.replace(/\.\w+$/, '.zzzz') : other.replace(/:\d+/, ':9999')
  }
  // each key has the value of the same key
  const all = (given: Names) =>
    Object.fromEntries(Object.entries(given).map(([key, value]) => [key, of(value)])) as never
  return [all(names), all(displayNames)]
}

export function isTexts(given: unknown): given is string[] {
  return Array.isArray(given) && given.every((one) => typeof one === 'string')
}

export const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Left out where they may be, but for these: without one of them some inputs are refused. */
const alwaysGiven = new Set(['contentText', 'instruction', 'text', 'permissions', 'name'])

/** The least that the operation takes, with what it can name named; `named` says which of the optional ones. */
export function inputOf(
  operation: Operation,
  names: Names,
  lease: Lease,
  named: (naming: Naming) => boolean = () => true,
): Record<string, unknown> {
  const values = valuesOf(lease)
  const input: Record<string, unknown> = {}
  for (const [field, { optional }] of operation.fields) {
    const naming = namingOf(operation, field)
    if (naming) {
      if (!optional || named(naming)) input[field] = names[naming]
    } else if (!optional || alwaysGiven.has(field)) {
      if (!(field in values)) throw new Error(`${operation.name}: say in valuesOf what ${field} is`)
      input[field] = values[field]
    }
  }
  return input
}

/** A value for each argument that names nothing, whatever the operation. */
function valuesOf({ leaseToken }: Lease): Record<string, unknown> {
  const sha = 'a'.repeat(40)
  return {
    agent: 'scripted',
    agentIdentifier: 'scripted',
    agents: [],
    argvRedacted: [],
    baseSha: sha,
    batchId: randomUUID(),
    bytes: Buffer.from('output'),
    cause: 'agent',
    claimId: randomUUID(),
    code: 'disk_full',
    contentText: 'x',
    device: { fingerprint: 'device-furnished', label: 'box', platform: 'linux', arch: 'x64' },
    dirty: false,
    endpointUrl: 'no address',
    eventTypes: ['mission.blocked'],
    exitCode: 0,
    expectedRevision: 1,
    headSha: sha,
    instanceId: randomUUID(),
    instruction: 'x',
    items: [],
    key: 'web',
    label: 'Mine',
    lastOutput: '',
    leaseToken,
    message: 'x',
    name: 'Mine',
    objectives: [{ instruction: 'x' }],
    permissions: [],
    phase: 'prepare',
    pid: 1,
    pidStartedAt: '1',
    reason: 'network',
    resourceKey: 'web',
    resources: [],
    runner: { instanceId: randomUUID(), version: '1', capacity: { max: 1, running: 0 } },
    seq: 1,
    signal: null,
    stat: [],
    summary: 'x',
    text: 'x',
    title: 'Mine',
    truncated: false,
    type: 'draft',
    'x-svc-lease': leaseToken,
    'x-svc-offset': 0,
  }
}
