import type { Client } from '@svc/client/client'
import { limits } from '@svc/contracts/limits'

export interface Candidate {
  readonly value: string
  readonly about?: string | undefined
}

/** What a shell does next: a space behind the word, none since the word goes on, or names of files. */
export interface Completion {
  readonly candidates: readonly Candidate[]
  readonly ending: 'closed' | 'open' | 'files'
}

export interface Asked {
  readonly client: Client
  readonly given: ReadonlyMap<string, string>
  /** The beginning of the word at the cursor. */
  readonly typed: string
}

type Source = (asked: Asked) => Promise<Completion>

const closed = (candidates: readonly Candidate[]): Completion => ({ candidates, ending: 'closed' })
const limit = limits.pageItemsMax

const projects: Source = async ({ client }) => {
  const { projects: found } = await client.call('listProjects', {})
  return closed(found.map(({ slug, name }) => ({ value: slug, about: name })))
}

async function missionsLike({ client, given, typed }: Asked): Promise<Candidate[]> {
  const projectId = projectIn(typed) ?? given.get('project')
  const { missions: found } = await client.call('listMissions', {
    limit,
    ...(projectId !== undefined && { projectId }),
  })
  const all = found.map(({ displayId, title }) => ({ value: displayId, about: title }))
  return all.filter(({ value }) => value.startsWith(typed))
}

const missions: Source = async (asked) => closed(await missionsLike(asked))

/** Those of the mission that the line names; else a mission first, unless only one is meant. */
const objectives: Source = async (asked) => {
  const named = asked.given.get('mission') ?? /^(.+:\d+)\./.exec(asked.typed)?.[1]
  if (named !== undefined) return objectivesOf(asked.client, named)
  const found = await missionsLike(asked)
  const [only] = found
  if (only && found.length === 1) return objectivesOf(asked.client, only.value)
  const candidates = found.map(({ value, about }) => ({ value: `${value}.`, about }))
  return { candidates, ending: 'open' }
}

async function objectivesOf(client: Client, id: string): Promise<Completion> {
  const { objectives: found } = await client.call('getMission', { id })
  return closed(found.map(({ displayId, title }) => ({ value: displayId, about: title })))
}

const deletedMissions: Source = async ({ client }) => {
  const { deleted } = await client.call('listDeletedMissions', { limit })
  return closed(deleted.map(({ displayId, title }) => ({ value: displayId, about: title })))
}

/** Those of the mission that is typed. */
const deletedObjectives: Source = async (asked) => {
  const id = /^(.+:\d+)\./.exec(asked.typed)?.[1]
  if (id === undefined) {
    const found = await missionsLike(asked)
    const candidates = found.map(({ value, about }) => ({ value: `${value}.`, about }))
    return { candidates, ending: 'open' }
  }
  const { deleted } = await asked.client.call('listDeletedObjectives', { id, limit })
  return closed(deleted.map(({ displayId, title }) => ({ value: displayId, about: title })))
}

const questions: Source = async ({ client }) => {
  const { questions: found } = await client.call('listQuestions', { status: 'open', limit })
  return closed(found.map(({ displayId, question }) => ({ value: displayId, about: question })))
}

const queues: Source = async ({ client, given }) => {
  const id = given.get('project') ?? projectIn(given.get('objective') ?? '')
  if (id === undefined) return closed([])
  const { queues: found } = await client.call('listRunQueues', { id })
  return closed(found.map(({ name, state }) => ({ value: name, about: state })))
}

const resources: Source = async ({ client, given }) => {
  const names = ['objective', 'objective-or-mission', 'mission', 'reviewed']
  const named = names.map((name) => given.get(name)).find(Boolean)
  const id = given.get('project') ?? projectIn(named ?? '')
  if (id === undefined) return closed([])
  const { resources: found } = await client.call('listProjectResources', { id })
  return closed(found.map(({ resourceKey, state }) => ({ value: resourceKey, about: state })))
}

const branches: Source = async ({ client }) => {
  const { branches: found } = await client.call('listBranches', { limit })
  return closed(found.map(({ branch, mission }) => ({ value: branch, about: mission })))
}

const members: Source = async ({ client }) => {
  const { members: found } = await client.call('listMembers', { limit })
  return closed(found.map(({ email, name }) => ({ value: email, about: name })))
}

const invitations: Source = async ({ client }) => {
  const { invitations: found } = await client.call('listInvitations', { limit })
  return closed(found.map(({ id, email }) => ({ value: id, about: email })))
}

function projectIn(displayId: string): string | undefined {
  return /^([^:]+):/.exec(displayId)?.[1]
}

/** Where the values come from that only the service knows, by the names that the help has for them. */
export const sources: Readonly<Record<string, Source>> = {
  project: projects,
  mission: missions,
  missions,
  objective: objectives,
  objectives,
  'objective-or-mission': objectives,
  'objective-or-run': objectives,
  run: objectives,
  delivered: objectives,
  reviewed: missions,
  opened: missions,
  'deleted-mission': deletedMissions,
  'deleted-objective': deletedObjectives,
  question: questions,
  queue: queues,
  resource: resources,
  'recorded-branch': branches,
  member: members,
  invitation: invitations,
}
