import { randomUUID } from 'node:crypto'
import { isServiceError } from '@svc/contracts/errors'
import type { RouteRequest } from '@svc/contracts/rest'
import {
  type Prepare,
  type Prepared,
  type Scene,
  attached,
  claimed,
  protocol,
  route,
  scene,
  started,
} from './scene.ts'

/** What people plan, and what is said of work under way: one transaction each, with nothing that follows from it. */
export const planOperations = {
  createMission: on(({ alice, projectId }) =>
    route(alice, 'createMission', {
      projectId,
      title: 'Another',
      objectives: [{ instruction: 'x' }],
    }),
  ),
  updateMission: on(({ alice, mission: { id } }) =>
    route(alice, 'updateMission', { id, title: 'New', budget: { usd: '20', runs: 3 } }),
  ),
  createMissionEvent: on(({ alice, mission: { id } }) =>
    route(alice, 'createMissionEvent', { id, type: 'acme:built', summary: 'Built.' }),
  ),
  addObjectives: on(({ alice, mission: { id } }) =>
    route(alice, 'addObjectives', { id, objectives: [{ instruction: 'x' }] }),
  ),
  acceptMission: on(async ({ alice, mission: { id } }) => {
    await alice.call('moveMission', { id, statusId: 'review' })
    return route(alice, 'acceptMission', { id })
  }),
  askForChanges: on(({ alice, mission: { id } }) =>
    route(alice, 'askForChanges', { id, instruction: 'Otherwise.' }),
  ),
  updateObjective: on(({ alice, a: { id } }) =>
    route(alice, 'updateObjective', { id, instruction: 'New' }),
  ),
  submitObjective: on(({ alice, a: { id } }) => route(alice, 'submitObjective', { id })),
  sendBackObjective: on(async ({ alice, a: { id } }) => {
    await alice.call('submitObjective', { id })
    return route(alice, 'sendBackObjective', { id })
  }),
  async cancelObjective(world) {
    const at = await scene(world)
    await at.alice.launch(at.a)
    return { ...at, repeatDiffers: true, call: route(at.alice, 'cancelObjective', { id: at.a.id }) }
  },
  createArtifact: on(({ alice, mission: { id } }) =>
    route(alice, 'createArtifact', { id, type: 'note', label: 'Notes', contentText: 'All.' }),
  ),
  updateArtifact: on(async ({ alice, mission: { id } }) => {
    const note = { type: 'note', label: 'Notes', contentText: 'All.' }
    const { artifact } = await alice.call('createArtifact', { id, ...note })
    const changed = { artifactId: artifact.id, expectedRevision: artifact.revision, label: 'New' }
    return route(alice, 'updateArtifact', { id, ...changed })
  }),
  addAttachment: on(({ alice, a: { id } }) => route(alice, 'addAttachment', { id, ...file })),
  deleteAttachment: on(async ({ alice, a: { id } }) => {
    const { attachment } = await alice.call('addAttachment', { id, ...file })
    return route(alice, 'deleteAttachment', { id: attachment.id })
  }),
  createRunQueue: on(({ alice, projectId: id }) =>
    route(alice, 'createRunQueue', { id, name: 'Mine' }),
  ),
  updateRunQueue: on(async (at) =>
    route(at.alice, 'updateRunQueue', { id: await mine(at), name: 'New' }),
  ),
  deleteRunQueue: on(async (at) => route(at.alice, 'deleteRunQueue', { id: await mine(at) })),
  orderRunQueues: on(async (at) => {
    const { alice, projectId: id } = at
    const first = (await at.queue()).id
    const [one, other] = [await mine(at), await mine(at, 'Other')]
    return route(alice, 'orderRunQueues', { id, queueIds: [first, other, one] })
  }),
  orderRunQueueEntries: on(async (at) => {
    const { id, entries } = await filled(at)
    const orderedEntryIds = entries.map((entry) => entry.id).toReversed()
    return route(at.alice, 'orderRunQueueEntries', { id, orderedEntryIds })
  }),
  removeRunQueueEntry: on(async (at) => {
    const { entries } = await filled(at)
    return route(at.alice, 'removeRunQueueEntry', { id: entries[0]?.id ?? '' })
  }),
  pauseRunQueue: on(async (at) => {
    const { id } = await filled(at)
    await at.alice.call('startRunQueue', { id })
    return route(at.alice, 'pauseRunQueue', { id })
  }),
  resumeRunQueue: on(async (at) => {
    const { id } = await filled(at)
    await at.alice.call('startRunQueue', { id })
    await at.alice.call('pauseRunQueue', { id })
    return route(at.alice, 'resumeRunQueue', { id })
  }),
  createProjectStatus: on(({ alice, projectId: id }) =>
    route(alice, 'createProjectStatus', { id, label: 'Doing', type: 'execute' }),
  ),
  linkProjectResource: on(({ alice, projectId: id }) =>
    route(alice, 'linkProjectResource', { id, resourceKey: 'web' }),
  ),
  unlinkProjectResource: on(async ({ alice, projectId: id }) => {
    await alice.call('linkProjectResource', { id, resourceKey: 'web' })
    return route(alice, 'unlinkProjectResource', { id, key: 'web' })
  }),
  renameProjectStatus: on(async (at) => {
    const [statusId = ''] = await statuses(at)
    return route(at.alice, 'renameProjectStatus', { id: at.projectId, statusId, label: 'New' })
  }),
  orderProjectStatuses: on(async (at) => {
    const statusIds = (await statuses(at)).toReversed()
    return route(at.alice, 'orderProjectStatuses', { id: at.projectId, statusIds })
  }),
  deleteProjectStatus: on(async ({ alice, projectId: id }) => {
    const order = { id, label: 'Doing', type: 'execute' as const }
    const { status } = await alice.call('createProjectStatus', order)
    return route(alice, 'deleteProjectStatus', { id, statusId: status.id })
  }),
  updateProject: on(({ alice, projectId: id }) =>
    route(alice, 'updateProject', { id, name: 'New' }),
  ),
  updateLaunchSettings: on(({ alice, projectId: id }) =>
    route(alice, 'updateLaunchSettings', { id, preCommand: 'nice' }),
  ),
  async turnInboxItem(world) {
    const { alice, projectId } = await scene(world)
    const { inboxItem } = await alice.call('createInboxItem', { title: 'An idea' })
    const call = route(alice, 'turnInboxItem', { id: inboxItem.id, projectId })
    return { projectId, repeatDiffers: true, call }
  },
  'word of an agent': on(async (at) => {
    const { agent } = await attached(at)
    const said = { sessionKey: agent.sessionKey(), text: 'A step is done.' }
    return protocol(at.runner, 'update', said)
  }),
  'files that changed': on(async (at) => {
    const { agent } = await attached(at)
    const batch = { batchId: randomUUID(), seq: 0, items: [{ filePath: 'a', vcsStatus: 'added' }] }
    const sessionKey = agent.sessionKey()
    return route(at.runner, 'recordLedgerBatch', { id: at.a.id, sessionKey, ...batch })
  }),
  'changes of a run': on(async (at) => {
    const { id, leaseToken } = await started(at)
    const stat = [{ filePath: 'a', additions: 1, deletions: 0 }]
    return route(at.runner, 'replaceRunDiff', { id, leaseToken, ...diff, stat })
  }),
  'changes of a run, in parts': on(async (at) => {
    const { id, leaseToken } = await started(at)
    const named = { id, leaseToken, report: 'a'.repeat(64) }
    const files = [{ filePath: 'a', additions: 1, deletions: 0 }]
    await at.runner.call('reportRunFiles', { ...named, from: 0, files })
    return route(at.runner, 'completeRunFiles', { ...named, ...diff, files: 1, patches: 0 })
  }),
  'delivery that waits for a check': on(async (at) => {
    const { agent } = await attached(at)
    await checkDeliveries(at)
    return delivery(at, agent.sessionKey())
  }),
  'outcome of a check': on(async (at) => {
    const { agent, lease } = await attached(at)
    await checkDeliveries(at)
    await agent.deliver().catch(() => undefined)
    const { id, leaseToken } = lease
    return route(at.runner, 'reportCheck', { id, leaseToken, attempt: 1, report: checkReport })
  }),
  'name of a branch': on(async (at) => {
    const { id, leaseToken } = await claimed(at)
    await at.alice.call('linkProjectResource', { id: at.projectId, resourceKey: 'web' })
    const wanted = { branch: 'a-mission-1', follows: null, insteadOf: null }
    return route(at.runner, 'reserveBranch', { id, leaseToken, resourceKey: 'web', wanted })
  }),
} satisfies Record<string, Prepare>

async function checkDeliveries({ alice, projectId: id }: Scene): Promise<void> {
  await alice.call('updateLaunchSettings', { id, checks: { test: { command: 'npm test' } } })
}

/** It is refused each time, and asks for its check once. */
function delivery({ runner }: Scene, sessionKey: string): Prepared['call'] {
  const call = protocol(runner, 'deliver', { sessionKey, summary: 'Done.' })
  return async (domain) => {
    try {
      return await call(domain)
    } catch (error) {
      if (isServiceError(error) && error.code === 'check_running') return error.code
      throw error
    }
  }
}

const checkReport: NonNullable<RouteRequest<'reportCheck'>['report']> = {
  commit: 'c'.repeat(40),
  dirty: false,
  changed: false,
  results: [{ name: 'test', outcome: 'failed', exitCode: 1, seconds: 1, output: 'one is red' }],
}

const diff = {
  baseSha: 'a'.repeat(40),
  headSha: 'b'.repeat(40),
  truncated: false,
  dirty: false,
}
const file = { name: 'a.txt', bytes: Buffer.from('x') }

function on(prepare: (at: Scene) => Prepared['call'] | Promise<Prepared['call']>): Prepare {
  return async (world) => {
    const at = await scene(world)
    return { projectId: at.projectId, call: await prepare(at) }
  }
}

async function mine({ alice, projectId: id }: Scene, name = 'Mine'): Promise<string> {
  return (await alice.call('createRunQueue', { id, name })).queue.id
}

async function filled(at: Scene) {
  await at.enqueue(at.a, at.b)
  return at.queue()
}

async function statuses({ alice, projectId: id }: Scene): Promise<string[]> {
  return (await alice.call('listProjectStatuses', { id })).statuses.map((status) => status.id)
}
