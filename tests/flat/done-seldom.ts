import { createHash } from 'node:crypto'
import { authenticate } from '@svc/domain/access/authenticate'
import { inTransaction } from '@svc/domain/commit/transaction'
import { approveRequest } from '@svc/domain/oauth/approve'
import { listChoices } from '@svc/domain/oauth/choices'
import { registerClient } from '@svc/domain/oauth/clients'
import { exchangeCode } from '@svc/domain/oauth/exchange'
import { findRequest, storeRequest } from '@svc/domain/oauth/requests'
import { revokeByClient } from '@svc/domain/oauth/revoke'
import { authenticatePerson } from '@svc/domain/people/access/authenticate'
import { startSignIn } from '@svc/domain/people/sign-ins'
import { findInvitation } from '@svc/domain/members/accept-invitation'
import { findResetLink } from '@svc/domain/members/reset-password'
import { callTool } from '@svc/domain/handlers/tools'
import { type ToolName, type ToolRequest, toolContracts } from '@svc/contracts/mcp/tools'
import { expect } from 'vitest'
import { expectFlat, onceThereIsSomething } from './expect-flat.ts'
import type { FlatTest } from './filled-test.ts'

/** What else is done. */
export function judgeDoneSeldom(test: FlatTest): void {
  test('a run that is given back, one that fails, one that is cancelled, and one that is resumed', async ({
    hooked,
    filled,
  }) => {
    const { world } = hooked
    const { mission, project } = await world.missionWith(['one'])
    const runner = await world.connectedRunner(project)
    await expectFlat(hooked, filled, async () => {
      const { executionRequest } = await world.alice.launch(mission.objectives[0])
      await runner.released(await runner.take(), { reason: 'runner_draining' })
      await runner.failed(await runner.take())
      await world.alice.launch(mission.objectives[0])
      await world.alice.launch(mission.objectives[0], { agent: 'other' })
      await world.alice.launch(mission.objectives[0], { runner: 'elsewhere' })
      const [newest] = await world.alice.requestsOf(mission)
      await world.alice.call('cancelExecutionRequest', {
        id: newest?.id ?? executionRequest.id,
      })
      const { lease } = await world.attachedRun(mission.objectives[0], runner)
      await world.alice.call('cancelObjective', { id: mission.objectives[0].id })
      await runner.heartbeat(lease)
      await runner.exited(lease, { cause: 'cancelled' })
      const stopped = await world.attachedRun(mission.objectives[0], runner)
      await runner.exited(stopped.lease)
      const { id } = mission
      await world.alice.call('updateMission', { id, budget: { usd: '5', runs: 9 } })
      await world.alice.resume(mission.objectives[0])
      await world.alice.call('cancelObjective', { id: mission.objectives[0].id })
      await world.alice.call('updateMission', { id, budget: { runs: null } })
      await expect(world.alice.resume(mission.objectives[0])).rejects.toMatchObject({
        code: 'budget_unknown_cost',
      })
    })
  })

  test('what a person deletes, restores and puts in another order', async ({ hooked, filled }) => {
    const { world, alice } = hooked
    const { mission } = await world.missionWith(['one', 'two', 'three'])
    const { id, objectives } = mission
    const [one, ...others] = objectives
    await alice.launch(one)
    await expectFlat(
      hooked,
      filled,
      async () => {
        await alice.call('deleteObjectives', { objectiveIds: [one.id], confirm: true })
        await alice.call('listDeletedObjectives', { id })
        await alice.call('restoreObjective', { id: one.displayId })
        const objectiveIds = [one, ...others].map((objective) => objective.id)
        await alice.call('reorderFutureObjectives', { id, objectiveIds })
        await alice.call('deleteMissions', { missionIds: [mission.displayId], confirm: true })
        await alice.call('listDeletedMissions', {})
        await alice.call('restoreMission', { id })
        await alice.call('deleteObjectives', { objectiveIds: [one.id], confirm: true })
      },
      onceThereIsSomething,
    )
  })

  test('a question, its answer, and the run that goes on with it', async ({ hooked, filled }) => {
    const { world } = hooked
    const { mission, project } = await world.missionWith(['one', 'two'])
    const runner = await world.connectedRunner(project)
    const { agent, lease } = await world.attachedRun(mission.objectives[0], runner)
    await expectFlat(
      hooked,
      filled,
      async () => {
        const { questionId } = await agent.ask()
        await agent.ask({ questionId, waitSeconds: 0.01 })
        await runner.exited(lease)
        await world.alice.answer(questionId)
        const again = await runner.take()
        await runner.launching(again)
        await runner.launched(again)
        const resumed = runner.agent(again)
        await resumed.attach()
        await resumed.update()
        await resumed.deliver()
        await world.alice.protocol('record-work', { missionId: mission.id, summary: 'Done.' })
      },
      onceThereIsSomething,
    )
  })

  test('what a person does with a subscription', async ({ hooked, filled }) => {
    const { alice, subscribe, publish, deliverDue } = hooked
    await expectFlat(hooked, filled, async () => {
      const { id } = await subscribe()
      await alice.call('testWebhook', { id })
      await alice.call('disableWebhook', { id })
      await publish(2)
      await deliverDue()
      await alice.call('enableWebhook', { id })
      await alice.call('recoverWebhook', { id })
      await deliverDue()
      const { deliveries } = await alice.call('listWebhookDeliveries', { id })
      await alice.call('resendWebhookDelivery', { id, deliveryId: deliveries[0]?.id ?? '' })
      await alice.call('deleteWebhook', { id })
    })
  })

  test('members, invitations and tokens', async ({ hooked, filled }) => {
    const { world, alice, domain } = hooked
    const { userId: id, actor } = await world.person('member')
    const tokenId = (await actor()).credential.id
    const work = async () => {
      await alice.call('listMembers', {})
      await alice.call('updateMember', { id, role: 'viewer' })
      const { invitation, link } = await alice.call('createInvitation', {
        email: 'x@example.com',
      })
      await alice.call('listInvitations', {})
      await findInvitation(domain, new URL(link).searchParams.get('token') ?? '')
      await alice.call('revokeInvitation', { id: invitation.id })
      const reset = new URL((await alice.call('createResetLink', { id })).link)
      await findResetLink(domain, reset.searchParams.get('token') ?? '')
      await alice.call('listWorkspaceTokens', {})
      await alice.call('listConnectedApplications', {})
      await alice.call('revokeWorkspaceToken', { id: tokenId })
      await alice.call('getWorkspace', {})
      await alice.call('updateWorkspace', { name: 'Here still' })
      await alice.call('removeMember', { id })
    }
    await expectFlat(hooked, filled, work, onceThereIsSomething)
  })

  test('what an admin looks up in the audit trail', async ({ hooked, filled }) => {
    const { world, alice } = hooked
    const project = await world.projectWith()
    const bound = await alice.withToken({ preset: 'full', projectIds: [project.id] })
    const { userId: actorId } = await alice.actor()
    const [newest] = (await alice.call('listAudit', { action: 'mission.deleted' })).entries
    const { id: cursor = '', targetId = '', at: before = '' } = newest ?? {}
    await expectFlat(
      hooked,
      filled,
      async () => {
        for (const filter of [
          {},
          { cursor },
          { before, cursor },
          { since: before },
          { action: 'mission.deleted', cursor },
          { actorId, cursor },
          { targetId, since: before },
          { actorId, action: 'mission.deleted', before },
          { actorId, targetId, action: 'mission.deleted', cursor },
        ] as const) {
          await alice.call('listAudit', filter)
          await bound.call('listAudit', filter)
        }
      },
      onceThereIsSomething,
    )
  })

  test('an inbox and notifications', async ({ hooked, filled }) => {
    const { world, alice } = hooked
    const project = await world.projectWith()
    await expectFlat(hooked, filled, async () => {
      const { inboxItem } = await alice.call('createInboxItem', { title: 'Item', text: 'x' })
      const { id } = inboxItem
      await alice.call('listInboxItems', {})
      await alice.call('listInboxItems', { state: 'all', cursor: id })
      await alice.call('listInboxItems', { state: 'turned' })
      await alice.call('getInboxItem', { id })
      await alice.call('updateInboxItem', { id, title: 'Other' })
      await alice.call('turnInboxItem', { id, projectId: project.id })
      await alice.call('turnInboxItem', { id, projectId: project.id })
      await alice.call('deleteInboxItem', { id })
      await alice.call('listNotifications', { state: 'unread' })
      const { notifications } = await alice.call('listNotifications', {})
      const notificationIds = notifications.map((one) => one.id)
      await alice.call('readNotifications', { notificationIds })
      await alice.call('readNotifications', {})
    })
  })

  test('an application that is let in, and given up', async ({ hooked, filled }) => {
    const { domain, world } = hooked
    const { userId, workspaceId } = await world.alice.actor()
    const { secret } = await inTransaction({ domain }, (tx) =>
      startSignIn(tx, domain.keys, {
        userId,
        browser: 'a test',
        from: undefined,
        by: 'a test',
      }),
    )
    const person = await authenticatePerson(domain, secret)
    const resource = 'https://svc.example/mcp'
    const redirectUri = 'https://client.example/cb'
    const said = { client_name: 'One', redirect_uris: [redirectUri] }
    await expectFlat(hooked, filled, async () => {
      const { id: clientId, name: clientName } = await registerClient({ domain }, said)
      await registerClient({ domain }, said)
      const verifier = 'v'.repeat(43)
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const asked = { clientId, clientName, redirectUri, state: 's', challenge, resource }
      const handle = await storeRequest({ domain }, asked)
      await findRequest(domain.db, handle)
      await listChoices({ domain }, person)
      const approval = { handle, workspaceId, resource }
      await approveRequest({ domain }, person, approval)
      const { code } = await approveRequest({ domain }, person, approval)
      const exchange = { clientId, code, redirectUri, verifier, resources: [] }
      const { token } = await exchangeCode({ domain }, exchange, resource)
      await authenticate(domain, token, 'mcp')
      await revokeByClient({ domain }, { token, clientId })
      await exchangeCode({ domain }, exchange, resource).catch(() => undefined)
    })
  })

  test('the tools of a cloud agent', async ({ hooked, filled }) => {
    const { world, alice, domain } = hooked
    const { mission, project } = await world.missionWith(['one'])
    const actor = await alice.actor()
    const call = <N extends ToolName>(name: N, input: ToolRequest<N>) =>
      callTool({ domain }, actor, name, toolContracts[name].input.parse(input))
    await expectFlat(hooked, filled, async () => {
      await call('svc_resolve_project', { query: project.slug })
      await call('svc_list_project_statuses', { projectId: project.id })
      await call('svc_search_missions', { projectId: project.id })
      await call('svc_search_missions', { query: 'mission' })
      await call('svc_create_mission', {
        projectId: project.id,
        title: 'T',
        objectives: [{ instruction: 'x' }],
      })
      await call('svc_load_mission_context', { missionId: mission.id })
      await call('svc_list_deliveries', { missionId: mission.id })
      await call('svc_attach_session', { missionId: mission.id, agentIdentifier: 'x' })
    })
  })
}
