import { appPages } from '@svc/contracts/links'
import { randomUUID } from 'node:crypto'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { notifyAdmins } from '../notifications/notify-admins.ts'
import { enrol } from './enrol.ts'
import type { Level, Names } from './naming.ts'
import type { Person } from './people.ts'
import { missionWith, projectWith } from './plans.ts'
import type { Lease } from './runner.ts'
import { connectedRunner, runUpTo } from './runs.ts'

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
  const project = given.project ?? (await projectWith(person))
  const order = { project, title: `Furnished ${count}`, allowParallelObjectives: true }
  const mission = given.mission ?? (await missionWith(person, [], order)).mission
  const { objectives } = await call('addObjectives', {
    id: mission.id,
    objectives: [{ instruction: `instruction ${count}` }],
  })
  const objective = objectives.at(-1)
  if (!objective) throw new Error('an objective was added')
  const runner = await connectedRunner(domain, runnerOf, { projectId: project.id })
  const started = { objective, runner, branch: 'svc/furnished' }
  const { lease, agent } = await runUpTo('attached', person, started)
  await runner.log(lease, 0, 'output')
  await runner.diff(lease)
  await runner.changes(lease, ['a.ts'])
  const { questionId } = await agent.ask()
  const { artifact } = await call('createArtifact', {
    id: mission.id,
    type: 'note',
    label: `artifact ${count}`,
    contentText: 'x',
  })
  const bytes = Buffer.from('x')
  const { attachment } = await call('addAttachment', { id: objective.id, name: 'a.txt', bytes })
  const { statuses } = await call('listProjectStatuses', { id: project.id })
  const { userToken } = await call('createUserToken', { label: 'other', preset: 'read_only' })
  const { inboxItem } = await call('createInboxItem', { title: `Item ${count}` })
  const { queue, entry } = await queueAnother(person, project, mission)
  const names: Names = {
    tokenId: userToken.id,
    ...(await meetOthers(domain, person)),
    inboxItemId: inboxItem.id,
    notificationIds: [await notify(domain, person)],
    runnerId: (await person.request(lease)).runnerId,
    projectId: project.id,
    projectIds: [project.id],
    statusId: statuses[0]?.id,
    statusIds: statuses.map((status) => status.id),
    moveTo: statuses[1]?.id,
    queueId: queue.id,
    queueIds: [queue.id],
    moveEntriesTo: queue.id,
    entryId: entry.id,
    orderedEntryIds: [entry.id],
    webhookId: receiver ? await subscribe(person, project, receiver.url) : randomUUID(),
    deliveryId: randomUUID(),
    missionId: mission.id,
    missionIds: [mission.id],
    artifactId: artifact.id,
    objectiveId: objective.id,
    attachmentId: attachment.id,
    objectiveIds: [objective.id],
    executionRequestId: lease.id,
    sessionKey: agent.sessionKey(),
    questionId,
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

/** Somebody else in the workspace and a token of theirs, somebody who is invited, and an application of the person's. */
async function meetOthers(domain: Domain, person: Person) {
  const { workspace } = await person.call('getMe', {})
  const name = `other-${randomUUID()}`
  const order = { workspace: workspace.slug, name, role: 'member', preset: 'read_only' } as const
  const other = await enrol(domain, order)
  const email = `invited-${randomUUID()}@example.com`
  const { invitation } = await person.call('createInvitation', { email })
  return {
    memberId: other.userId,
    workspaceTokenId: (await other.actor()).credential.id,
    invitationId: invitation.id,
    connectedApplicationId: await connectApplication(domain, person),
  }
}

/** As if the person had let one in. */
export async function connectApplication({ db }: Domain, person: Person): Promise<string> {
  const order = { label: 'An application', preset: 'mission_lifecycle' } as const
  const { userToken } = await person.call('createUserToken', order)
  const { id } = userToken
  await db.updateTable('user_tokens').set({ kind: 'oauth' }).where('id', '=', id).execute()
  return id
}

/** Tells the admins, of whom this is one, and answers what it told this one. */
async function notify(domain: Domain, person: Person): Promise<string | undefined> {
  const { workspaceId } = await person.actor()
  const next = { operation: 'listNotifications', params: {} } as const
  const notice = {
    kind: 'test',
    key: randomUUID(),
    title: 'Furnished',
    page: appPages.needs(),
    next,
  }
  await inTransaction({ domain }, (tx) => notifyAdmins(tx, workspaceId, notice))
  const { notifications } = await person.call('listNotifications', { limit: 1 })
  return notifications[0]?.id
}

/** Another objective of the mission, in a queue of its own. */
async function queueAnother({ call }: Person, project: Project, mission: Mission) {
  const { queue } = await call('createRunQueue', { id: project.id, name: `queue ${count}` })
  const order = { id: mission.id, objectives: [{ instruction: `queued ${count}` }] }
  const another = (await call('addObjectives', order)).objectives.at(-1)
  return call('queueObjective', { objectiveId: another?.id ?? '', queue: queue.id })
}

async function subscribe({ call }: Person, { id: projectId }: Project, endpointUrl: string) {
  const order = { name: 'Furnished', endpointUrl, eventTypes: ['mission.blocked'], projectId }
  return (await call('createWebhook', order)).webhook.id
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
