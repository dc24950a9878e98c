import { randomUUID } from 'node:crypto'
import { claimBody } from '@svc/domain/testing/runner'
import { ofMembers, ofOwners } from './members.ts'
import {
  type Preparation,
  named,
  made,
  about,
  kept,
  subjectOf,
  ofRun,
  inOtherResource,
  bySession,
  noOther,
  byObjective,
  keptObjective,
  launched,
  deletedMission,
  deletedObjective,
  someArtifact,
  reversed,
  queued,
  firstInQueue,
  held,
  delivered,
  deliveredAnew,
  subscribed,
  subscribing,
  runnerOf,
} from './prepare.ts'
import { type MissionOrder, freshRun, freshSession } from './scene.ts'

const ofChanged: MissionOrder = { of: 'changed' }

/** Operations for which the least input about the scene is not enough, or that use up what they are asked about. */
export const preparations: Readonly<Record<string, Preparation>> = {
  'POST /api/projects': made(named),
  svc_create_project: made(named),
  'PUT /api/projects/:id/statuses/order': kept(
    about(async ({ person }, { project }) => {
      const { statuses } = await person.call('listProjectStatuses', { id: project.id })
      return { id: project.id, statusIds: statuses.map(({ id }) => id).toReversed() }
    }, ofChanged),
  ),
  'DELETE /api/projects/:id/statuses/:statusId': about(async ({ person }, { project }) => {
    const order = { id: project.id, label: 'Mine', type: 'draft' as const }
    const { status } = await person.call('createProjectStatus', order)
    return { id: project.id, statusId: status.id, moveTo: undefined }
  }, ofChanged),
  'POST /api/projects/:id/resources': kept(
    about((_scene, { project }) => ({ id: project.id }), ofChanged),
  ),
  'DELETE /api/projects/:id/resources/:key': about(async ({ person }, { project }) => {
    await person.call('linkProjectResource', { id: project.id, resourceKey: 'web' })
    return { id: project.id }
  }, ofChanged),
  'POST /api/missions/:id/status': kept(
    about(async ({ person }, { project, mission }) => {
      const { statuses } = await person.call('listProjectStatuses', { id: project.id })
      return { id: mission.id, statusId: statuses[1]?.id }
    }),
  ),
  'POST /api/missions/:id/accept': about(async ({ person }, { mission: { id } }) => {
    await person.call('moveMission', { id, statusId: 'review' })
    return { id }
  }),
  'POST /api/missions/:id/changes': kept(about((_scene, { mission: { id } }) => ({ id }))),
  'POST /api/missions/delete': about((_scene, { mission }) => ({
    missionIds: [mission.id],
    confirm: true,
  })),
  'POST /api/missions/:id/restore': deletedMission,
  'PUT /api/missions/:id/future-objectives': reversed('id'),
  'PATCH /api/objectives/:id': kept(about((_scene, { first }) => ({ id: first.id }))),
  'POST /api/objectives/:id/submit': about((_scene, { first }) => ({ id: first.id })),
  'POST /api/objectives/:id/send-back': about(async ({ person }, { first }) => {
    await person.call('submitObjective', { id: first.id })
    return { id: first.id }
  }),
  'POST /api/objectives/:id/cancel': launched,
  'POST /api/objectives/:id/resume': async (scene) => {
    const { runner, lease, ...fresh } = await freshRun(scene)
    await runner.agent(lease).attach()
    await runner.exited(lease)
    return { input: { id: fresh.first.id }, subject: subjectOf(fresh) }
  },
  'POST /api/objectives/delete': about((_scene, { first }) => ({
    objectiveIds: [first.id],
    missionId: undefined,
    confirm: true,
  })),
  'POST /api/objectives/:id/restore': deletedObjective,
  'GET /api/objectives/:id/launch-preview': kept(
    about((_scene, { first }) => ({ id: first.id, resourceKey: undefined })),
  ),
  'POST /api/objectives/:id/launch': about((_scene, { first }) => ({ id: first.id })),
  'PATCH /api/missions/:id/artifacts/:artifactId': someArtifact,
  'POST /api/execution-requests/:id/cancel': about(async ({ person }, { first }) => {
    const { executionRequest } = await person.launch(first)
    return { id: executionRequest.id }
  }),
  'POST /api/questions/:id/answer': async (scene) => {
    const { sessionKey, ...session } = await freshSession(scene)
    const asked = { sessionKey, question: 'Tabs or spaces?' }
    const { questionId } = await scene.person.protocol('ask', asked)
    return { input: { id: questionId }, subject: subjectOf(session) }
  },
  'POST /api/projects/:id/run-queues': made(named),
  'PUT /api/projects/:id/run-queues/order': kept(
    about(async ({ person }, { project }) => {
      const { queues } = await person.call('listRunQueues', { id: project.id })
      return { id: project.id, queueIds: queues.map(({ id }) => id) }
    }),
  ),
  'PATCH /api/run-queues/:id': made(named),
  'DELETE /api/run-queues/:id': async ({ person, project }) => {
    const { queue } = await person.call('createRunQueue', { id: project.id, ...named() })
    return { input: { id: queue.id, moveEntriesTo: undefined } }
  },
  'POST /api/run-queues/:id/start': about(async (scene, fresh) => ({
    id: (await firstInQueue(scene, fresh)).queue.id,
  })),
  'POST /api/run-queues/entries': kept(about((_scene, { first }) => ({ objectiveId: first.id }))),
  'DELETE /api/run-queues/entries/:id': queued,
  'POST /api/run-queues/entries/:id/retry': held,
  'POST /api/runner/claim': about(
    async ({ person }, { project, first }) => {
      await person.launch(first)
      return claimBody({ projectIds: [project.id] }, `device-${randomUUID()}`, randomUUID())
    },
    { of: 'own' },
  ),
  'POST /api/runner/requests/:id/launching': ofRun('claimed'),
  'POST /api/runner/requests/:id/branches': inOtherResource,
  'POST /api/runner/requests/:id/launched': ofRun('launching'),
  'POST /api/runner/requests/:id/failed': ofRun('launching'),
  'POST /api/runner/requests/:id/released': ofRun('launching'),
  'POST /api/runner/requests/:id/exited': ofRun('launched'),
  'DELETE /api/runners/:id': runnerOf(({ person }) => person),
  'DELETE /api/user-tokens/:id': async ({ person }) => {
    const { userToken } = await person.call('createUserToken', { label: 'x', preset: 'runner' })
    return { input: { id: userToken.id } }
  },
  ...ofMembers,
  'POST /api/inbox-items/:id/mission': async ({ person }) => {
    const { inboxItem } = await person.call('createInboxItem', { title: 'Mine' })
    return { input: { id: inboxItem.id } }
  },
  'DELETE /api/inbox-items/:id': async ({ person }) => {
    const { inboxItem } = await person.call('createInboxItem', { title: 'Mine' })
    return { input: { id: inboxItem.id } }
  },
  'POST /api/webhooks': subscribing,
  'PATCH /api/webhooks/:id': subscribed,
  'DELETE /api/webhooks/:id': subscribed,
  'POST /api/webhooks/:id/recover': subscribed,
  'GET /api/webhooks/:id/deliveries/:deliveryId': delivered,
  'POST /api/webhooks/:id/deliveries/:deliveryId/resend': deliveredAnew,
  'POST /api/objectives/:id/attachments': made(() => ({ name: `${randomUUID()}.txt` })),
  'DELETE /api/attachments/:id': async ({ person, objective }) => {
    const file = { name: `${randomUUID()}.txt`, bytes: Buffer.from('x') }
    const { attachment } = await person.call('addAttachment', { id: objective.id, ...file })
    return { input: { id: attachment.id } }
  },
  'PUT /api/missions/:id/shared-state/:key': made(() => ({
    key: `k${randomUUID()}`,
    expectedRevision: 0,
  })),
  'protocol attach': byObjective,
  'protocol ask': async (scene) => {
    const { input, ...rest } = await bySession(scene)
    return { ...rest, input: { ...input, question: 'Tabs or spaces?' } }
  },
  'protocol deliver': bySession,
  'protocol record-work': byObjective,
  'protocol update-artifact': someArtifact,
  svc_attach_session: byObjective,
  svc_update_session: kept(bySession),
  svc_deliver_session: bySession,
  svc_record_work: byObjective,
  svc_update_artifact: someArtifact,
  svc_launch_objective: byObjective,
  svc_update_objective: keptObjective,
  svc_queue_objective: keptObjective,
  svc_manage_run_queue: made(named),
  svc_reorder_future_objectives: reversed('missionId'),
  svc_delete_missions: about((_scene, { mission }) => ({
    missionIds: [mission.id],
    confirm: true,
  })),
  svc_delete_objectives: about((_scene, { first }) => ({
    objectiveIds: [first.displayId],
    missionId: undefined,
    confirm: true,
  })),
}

/** The same operations where they ask for more, or where the thing is somebody else's. */
export const variants: Readonly<Record<string, Readonly<Record<string, Preparation>>>> = {
  'PATCH /api/objectives/:id': {
    'with its mission': about((_scene, { first }) => ({ id: first.id, auto_advance: false })),
  },
  ...ofOwners,
  'DELETE /api/runners/:id': { 'of somebody else': runnerOf(({ world }) => world.alice) },
  'protocol attach': {
    'awaiting approval': async (scene) => {
      const { sessionKey, objectives, project } = await freshSession(scene, { objectives: 2 })
      await scene.person.protocol('deliver', { sessionKey, summary: 'Done.' })
      const next = objectives[1]?.id ?? ''
      const { displayId } = await scene.person.objective({ id: next })
      return {
        input: { ...noOther, objectiveId: displayId },
        subject: { projectId: project.id, objectiveId: next },
      }
    },
  },
  'protocol heartbeat': {
    'of somebody else': about(async ({ world }, { first }) => {
      const agent = world.agentOf(world.alice, { objectiveId: first.displayId })
      await agent.attach()
      return { sessionKey: agent.sessionKey() }
    }),
  },
  'protocol record-work': {
    'of a mission alone': about((_scene, { mission }) => ({
      ...noOther,
      missionId: mission.id,
      objectiveId: undefined,
    })),
  },
  svc_manage_run_queue: {
    'retry an entry': async (scene) => {
      const { input, ...rest } = await held(scene)
      return {
        ...rest,
        input: { action: 'retry_entry', entryId: input['id'], queueId: undefined, name: undefined },
      }
    },
  },
}
