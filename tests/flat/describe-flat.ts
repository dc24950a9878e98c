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
import { openFeed } from '@svc/domain/feed/read-feed'
import { domainLoops } from '@svc/domain/handlers/loops'
import { findInvitation } from '@svc/domain/members/accept-invitation'
import { findResetLink } from '@svc/domain/members/reset-password'
import { advanceQueues } from '@svc/domain/run-queues/planner/planner'
import { purgeExpired } from '@svc/domain/sweep/purge-expired'
import { callTool } from '@svc/domain/handlers/tools'
import { type ToolName, type ToolRequest, toolContracts } from '@svc/contracts/mcp/tools'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { sweepDeliveries, sweepEvents, sweepHeld } from '@svc/domain/webhooks/sending/sweeps'
import { test as base } from '@svc/domain/testing/hooked-world'
import { openDatabase } from '@svc/db/database'
import { createTestDatabase } from '@svc/testing/database'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { type Filled, byLoops, expectFlat, onceThereIsSomething } from './expect-flat.ts'
import { fill } from './fill.ts'
import { accessesOf, indexColumns } from './plans.ts'
import { statementsOf } from './sent.ts'

interface Dose {
  missions: number
  /** The planner has to choose an index where there is one: a table this small it would rather read from end to end. */
  byIndexes: boolean
  /** Whether it is everything that is done, or what is done most. */
  isWhole: boolean
}

/** Of the missions: alice's workspace, carla's, and one in which nobody of ours is. */
const shares = { here: 0.8, elsewhere: 0.18, third: 0.02 }

const testWith = ({ missions, byIndexes }: Dose) =>
  base.extend('filled', { scope: 'file' }, async ({ world }, { onCleanup }): Promise<Filled> => {
    const { db } = world.domain
    const third = { slug: 'third', name: 'Third' }
    const { id: thirdId } = await db
      .insertInto('workspaces')
      .values({ id: '00000000-0000-7000-8000-0000000000ff', ...third })
      .returning('id')
      .executeTakeFirstOrThrow()
    const people = {
      here: { workspaceId: world.workspaceId, userId: (await world.alice.actor()).userId },
      elsewhere: await world.carla.actor(),
      third: { workspaceId: thirdId, userId: (await world.carla.actor()).userId },
    }
    const owners = Object.entries(people)
    // each owner has one of these shares
    await Promise.all(
      owners.map(([name, owner]) =>
        fill(db, owner, missions * shares[name as keyof typeof shares]),
      ),
    )
    await sql`analyze`.execute(db)
    const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and reltuples > ${missions * 0.06}`.execute(
      db,
    )
    const database = await createTestDatabase()
    const young = openDatabase({
      url: database.connectionString,
      poolSize: 1,
      onError: () => undefined,
    })
    onCleanup(async () => {
      await young.destroy()
      await database[Symbol.asyncDispose]()
    })
    const big = new Set(rows.map((row) => row.name))
    return { big, columns: await indexColumns(db), young, byIndexes }
  })

export function describeFlat(dose: Dose) {
  const test = testWith(dose)
  const { isWhole } = dose
  describe(
    `with ${dose.missions} missions behind it, every statement costs what it finds:`,
    { timeout: 240_000 },
    () => {
      test('a launch path to the end of its mission', async ({ hooked, filled }) => {
        const { world, subscribe, deliverDue } = hooked
        await subscribe({ eventTypes: ['mission.delivered'], payloadMode: 'full' })
        const { mission, project } = await world.missionWith(
          isWhole ? ['one', 'two', 'three'] : ['one', 'two'],
          {
            auto_advance: true,
            resources: [{ resourceKey: 'app', permission: 'rw', primary: true }],
          },
        )
        const runner = await world.connectedRunner(project, {
          resources: [{ projectId: project.id, resourceKey: 'app' }],
        })
        await expectFlat(hooked, filled, async () => {
          await world.alice.launch(mission.objectives[0])
          for (const _ of mission.objectives) {
            const lease = await runner.take({ mintAgentToken: true })
            await runner.launching(lease, 'svc/x')
            await runner.launched(lease)
            await runner.heartbeat(lease)
            const agent = runner.agent(lease)
            await agent.attach()
            await agent.update()
            await agent.heartbeat()
            await runner.log(lease, 0, 'text')
            await agent.deliver({
              artifacts: [{ type: 'next_steps', label: 'Next', contentText: 'Merge it.' }],
              changeRationales: [
                { filePath: 'a.ts', label: 'L', summary: 'S', why: 'W', impact: 'None' },
              ],
            })
            await runner.diff(lease)
            await runner.exited(lease)
          }
          await deliverDue()
        })
      })

      test('what a person reads', async ({ hooked, filled }) => {
        const { world, alice, subscribe, deliverDue } = hooked
        const subscription = await subscribe()
        const { id } = (await world.missionWith(['one'])).mission
        await hooked.moveMission({ missionId: id })
        await deliverDue()
        const newest = await hooked.log(subscription)
        const [objective] = (await alice.mission({ id })).objectives
        const objectiveId = objective?.id ?? ''
        await expectFlat(
          hooked,
          filled,
          async () => {
            await alice.call('listProjects', {})
            await alice.call('listMissions', {})
            const { projectId, status, updatedAt } = await alice.mission({ id })
            for (const query of ['mission do', '31999', 'nowhere', 'filled:31', 'filled:99999']) {
              await alice.call('listMissions', { query })
            }
            for (const filter of [
              { projectId },
              { projectId, query: 'mission', statusTypes: 'complete,review' },
              { statusTypes: 'blocked' },
              { statusId: status.id },
              { updatedSince: updatedAt },
              { updatedBefore: '2020-01-01T00:00:00Z' },
            ]) {
              await alice.call('listMissions', filter)
            }
            await alice.call('getMission', { id })
            await alice.call('getObjective', { id: objectiveId })
            await alice.call('listMissionEvents', { id })
            await alice.call('listFileChanges', { id })
            await alice.call('listDeliveries', { id })
            await alice.call('listBranches', {})
            await alice.call('listBranches', { missionId: id })
            await alice.call('listArtifacts', { id })
            await alice.call('listExecutionRequests', {})
            await alice.call('listExecutionRequests', { projectId })
            await alice.call('listExecutionRequests', { projectId, status: 'failed' })
            await alice.call('listExecutionRequests', { state: 'failed' })
            await alice.call('listExecutionRequests', { missionId: id })
            await alice.call('listExecutionRequests', { objectiveId })
            await alice.call('listQuestions', {})
            await alice.call('listQuestions', { status: 'open' })
            await alice.call('listQuestions', { missionId: id })
            await alice.call('listQuestions', { objectiveId })
            await alice.call('listUserTokens', {})
            await alice.call('listRunners', {})
            await alice.call('listWebhooks', {})
            await alice.call('listWebhookDeliveries', { id: subscription.id })
            await alice.call('getWebhookDelivery', {
              id: subscription.id,
              deliveryId: newest[0]?.id ?? '',
            })
          },
          onceThereIsSomething,
        )
      })

      test('a run queue, from its entries to what it launches', async ({ hooked, filled }) => {
        const { world, alice, domain } = hooked
        const { mission, project } = await world.missionWith(['one', 'two', 'three'])
        const [one, two, three] = mission.objectives
        const runner = await world.connectedRunner(project)
        const work = async () => {
          await alice.call('queueObjective', { objectiveId: two.id })
          await alice.call('queueObjective', { objectiveId: three.displayId, after: two.displayId })
          await alice.call('listRunQueues', { id: project.slug })
          await alice.launch(one)
          for (const _ of [one, two]) {
            const lease = await runner.take()
            await runner.launching(lease)
            await runner.launched(lease)
            const agent = runner.agent(lease)
            await agent.attach()
            await agent.deliver()
            expect(await advanceQueues(domain)).toBe(1)
          }
          await runner.failed(await runner.take())
          await alice.tool('svc_list_run_queues', { projectId: project.id, view: 'full' })
        }
        await expectFlat(hooked, filled, work, { exceptions: byLoops, ...onceThereIsSomething })
      })

      test('the feed of a mission and of a workspace', async ({ hooked, filled }) => {
        const { world, alice, domain } = hooked
        const { mission } = await world.missionWith(['one'])
        const actor = await alice.actor()
        await expectFlat(hooked, filled, async () => {
          for (const missionId of [mission.id, undefined]) {
            const feed = await openFeed({ domain }, actor, { missionId })
            const next = feed.next()
            await hooked.moveMission({ missionId: mission.id })
            await next
            await feed.return(undefined)
          }
        })
      })

      test('the loops of the service', async ({ hooked, filled }) => {
        const { domain, world } = hooked
        const { mission } = await world.missionWith(['done', 'deleted alone'])
        const [done, alone] = mission.objectives
        await (await world.attachedRun(done)).agent.deliver()
        await world.alice.call('deleteObjectives', { objectiveIds: [alone.id], confirm: true })
        await world.advance(31 * 86_400)
        await world.alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
        await world.advance(31 * 86_400)
        const work = async () => {
          for (const loop of domainLoops(domain)) await loop.run()
          await fanOutDue(domain, defaultTiming)
          await sweepEvents(domain)
          await sweepDeliveries(domain, defaultTiming)
          await sweepHeld(domain)
          await purgeExpired(domain, 'by the dispatcher')
        }
        const judging = { exceptions: byLoops, ...onceThereIsSomething }
        await expectFlat(hooked, filled, work, judging)
      })

      test('what is held, of which only what is held too long is read', async ({
        hooked: { domain },
        filled: { big, byIndexes },
      }) => {
        const sent = await statementsOf(() => sweepHeld(domain))
        const read = (
          await Promise.all(sent.map((one) => accessesOf(domain.db, one, byIndexes)))
        ).flat()
        const held = read.filter(({ table, index }) => big.has(table) && index?.endsWith('_held'))
        expect(held.map(({ condition }) => condition)).toEqual([
          expect.stringMatching(/subscription_id = .* AND \(id < /),
        ])
      })

      if (!isWhole) return

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
          await world.alice.resume(mission.objectives[0])
          await world.alice.call('cancelObjective', { id: mission.objectives[0].id })
        })
      })

      test('what a person deletes, restores and puts in another order', async ({
        hooked,
        filled,
      }) => {
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

      test('a question, its answer, and the run that goes on with it', async ({
        hooked,
        filled,
      }) => {
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
        await expectFlat(hooked, filled, async () => {
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
        })
      })

      test('an inbox and notifications', async ({ hooked, filled }) => {
        const { world, alice } = hooked
        const project = await world.projectWith()
        await expectFlat(hooked, filled, async () => {
          const { inboxItem } = await alice.call('createInboxItem', { title: 'Item', text: 'x' })
          const { id } = inboxItem
          await alice.call('listInboxItems', {})
          await alice.call('listInboxItems', { state: 'all', cursor: id })
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
    },
  )
}
