import { randomUUID } from 'node:crypto'
import { limits } from '@svc/contracts/limits'
import { deliverDue } from '@svc/domain/testing/deliver-due'
import type { Person } from '@svc/domain/testing/people'
import type { Input } from './ask.ts'
import {
  type Fresh,
  type MissionOrder,
  type Scene,
  type Subject,
  freshMission,
  freshRun,
  freshSession,
} from './scene.ts'

export interface Prepared {
  /** What is asked for otherwise than in the least input about the scene. */
  input: Input
  subject?: Subject
  /** Once it was done, so that who was asked goes on as before. */
  undo?: () => Promise<unknown>
}

export type Preparation = (scene: Scene) => Promise<Prepared>

export const named = () => ({ name: `Mine ${randomUUID()}` })
export const made =
  (input: () => Input): Preparation =>
  () =>
    Promise.resolve({ input: input() })

/** About a mission of its own. */
export function about(
  input: (scene: Scene, fresh: Fresh) => Input | Promise<Input>,
  order?: MissionOrder,
): Preparation {
  return async (scene) => {
    const fresh = await freshMission(scene, order)
    return { input: await input(scene, fresh), subject: subjectOf(fresh) }
  }
}

/** Made once for each scene, where being asked about it uses nothing up. */
export function kept(preparation: Preparation): Preparation {
  const made = new Map<Scene, Promise<Prepared>>()
  return (scene) => {
    const found = made.get(scene) ?? preparation(scene)
    made.set(scene, found)
    return found
  }
}

export function subjectOf({ project, first }: Pick<Fresh, 'project' | 'first'>): Subject {
  return { projectId: project.id, objectiveId: first.id }
}

/** Where a run stands when it is reported on. */
export function ofRun(upTo: 'claimed' | 'launching' | 'launched'): Preparation {
  return async (scene) => {
    const { lease, ...run } = await freshRun(scene, upTo)
    return { input: { id: lease.id, leaseToken: lease.leaseToken }, subject: subjectOf(run) }
  }
}

/** A run that was claimed, in a project with the resource that is named. */
export const inOtherResource: Preparation = async (scene) => {
  const { lease, ...run } = await freshRun(scene, 'claimed')
  await scene.person.call('linkProjectResource', { id: run.project.id, resourceKey: 'web' })
  return { input: { id: lease.id, leaseToken: lease.leaseToken }, subject: subjectOf(run) }
}

/** Nothing but the session is named. */
export const bySession: Preparation = async (scene) => {
  const { sessionKey, ...session } = await freshSession(scene)
  const input = { sessionKey, missionId: undefined, objectiveId: undefined, questionId: undefined }
  return { input, subject: subjectOf(session) }
}

/** Nothing but the objective is named. */
export const noOther = {
  missionId: undefined,
  sessionKey: undefined,
  executionRequestId: undefined,
}
export const byObjective = about((_scene, { first }) => ({
  ...noOther,
  objectiveId: first.displayId,
}))
export const keptObjective = kept(byObjective)

export const launched = about(async ({ person }, { first }) => {
  await person.launch(first)
  return { id: first.id }
})

export const deletedMission = about(async ({ person }, { mission }) => {
  await person.call('deleteMissions', { missionIds: [mission.id], confirm: true })
  return { id: mission.id }
})

export const deletedObjective = about(async ({ person }, { first }) => {
  await person.call('deleteObjectives', { objectiveIds: [first.id], confirm: true })
  return { id: first.id }
})

export const someArtifact: Preparation = async ({ person, mission }) => {
  const note = { type: 'note', label: 'Mine', contentText: 'x' }
  const { artifact } = await person.call('createArtifact', { id: mission.id, ...note })
  return { input: { artifactId: artifact.id, sessionKey: undefined } }
}

export const reversed = (naming: 'id' | 'missionId') =>
  kept(
    about(
      (_scene, { mission, objectives }) => ({
        [naming]: mission.id,
        objectiveIds: objectives.map(({ id }) => id).toReversed(),
      }),
      { objectives: 2 },
    ),
  )

export const queued = about(async ({ person }, { first }) => {
  const { entry } = await person.call('queueObjective', { objectiveId: first.id })
  return { id: entry.id }
})

/** The first in a queue of its own, which can be started. */
export async function firstInQueue({ person }: Scene, { project, first }: Fresh) {
  await person.call('updateObjective', { id: first.id, assigned_agent: 'scripted' })
  const { queue } = await person.call('createRunQueue', { id: project.id, ...named() })
  return person.call('queueObjective', { objectiveId: first.id, queue: queue.id })
}

/** The entry of a run that failed. */
export const held = about(
  async (scene, fresh) => {
    const { queue, entry } = await firstInQueue(scene, fresh)
    await scene.person.call('startRunQueue', { id: queue.id })
    const runner = await scene.world.connectedRunner(fresh.project, { owner: scene.person })
    await runner.failed(await runner.take())
    return { id: entry.id }
  },
  { of: 'own' },
)

/** Gone again once it was asked about: a workspace has room for so many. */
function removed(preparation: Preparation): Preparation {
  return async (scene) => {
    const prepared = await preparation(scene)
    return {
      ...prepared,
      undo: () => removeWebhooks(scene, ({ id }) => id === prepared.input['id']),
    }
  }
}

async function removeWebhooks(
  { person }: Scene,
  which: (webhook: { id: string; name: string }) => boolean,
): Promise<void> {
  const { webhooks } = await person.call('listWebhooks', { limit: limits.webhooksPerWorkspace })
  for (const { id } of webhooks.filter(which)) await person.call('deleteWebhook', { id })
}

/** A notification of a change that has arrived. */
const deliveredOnce = about(
  async ({ person, domain, receiver }, { project, mission }) => {
    const subscription = { name: 'Mine', endpointUrl: receiver.url, projectId: project.id }
    const eventTypes = ['mission.status_changed']
    const { webhook } = await person.call('createWebhook', { ...subscription, eventTypes })
    const { statuses } = await person.call('listProjectStatuses', { id: project.id })
    const status = statuses.find(({ id }) => id !== mission.status.id)
    await person.call('moveMission', { id: mission.id, statusId: status?.id ?? '' })
    await deliverDue(domain)
    const { deliveries } = await person.call('listWebhookDeliveries', { id: webhook.id })
    return { id: webhook.id, deliveryId: deliveries[0]?.id }
  },
  { of: 'changed' },
)
export const delivered = kept(deliveredOnce)
export const deliveredAnew = removed(deliveredOnce)

export const subscribed = removed(async ({ person, receiver }) => {
  const order = { name: 'Mine', endpointUrl: receiver.url, eventTypes: ['mission.blocked'] }
  return { input: { id: (await person.call('createWebhook', order)).webhook.id } }
})

export const subscribing: Preparation = async (scene) => {
  const { name } = named()
  const input = { name, endpointUrl: scene.receiver.url }
  return { input, undo: () => removeWebhooks(scene, (webhook) => webhook.name === name) }
}

export function runnerOf(owner: (scene: Scene) => Person): Preparation {
  return async (scene) => {
    const label = `idle ${randomUUID()}`
    await scene.world.connectedRunner(scene.project, { owner: owner(scene), label })
    const { runners } = await scene.person.call('listRunners', {})
    return { input: { id: runners.find((one) => one.label === label)?.id } }
  }
}
