import { CardBadge } from '@svc/contracts/board'
import { openFeed } from '@svc/domain/feed/read-feed'
import { domainLoops } from '@svc/domain/handlers/loops'
import { advanceQueues } from '@svc/domain/run-queues/planner/planner'
import { purgeExpired } from '@svc/domain/sweep/purge-expired'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { sweepDeliveries, sweepEvents, sweepHeld } from '@svc/domain/webhooks/sending/sweeps'
import { expect } from 'vitest'
import { byLoops, expectFlat, onceThereIsSomething } from './expect-flat.ts'
import { accessesOf } from './plans.ts'
import { statementsOf } from './sent.ts'
import type { FlatTest } from './filled-test.ts'

export function judgeLaunchPath(test: FlatTest, objectives: readonly [string, ...string[]]): void {
  test('a launch path to the end of its mission', async ({ hooked, filled }) => {
    const { world, subscribe, deliverDue } = hooked
    await subscribe({ eventTypes: ['mission.delivered'], payloadMode: 'full' })
    const { mission, project } = await world.missionWith(objectives, {
      auto_advance: true,
      resources: [{ resourceKey: 'app', permission: 'rw', primary: true }],
    })
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
        await runner.changes(lease, ['a.ts', 'b.ts'])
        await runner.exited(lease)
      }
      await deliverDue()
    })
  })
}

/** What else is done most. */
export function judgeDoneMost(test: FlatTest): void {
  test('what a person reads', async ({ hooked, filled }) => {
    const { world, alice, subscribe, deliverDue } = hooked
    const subscription = await subscribe()
    const { id } = (await world.missionWith(['one'])).mission
    await hooked.moveMission({ missionId: id })
    await deliverDue()
    const newest = await hooked.log(subscription)
    const { agent, lease, runner } = await world.attachedRun(
      (await world.missionWith(['ask'])).mission.objectives[0],
    )
    const { questionId } = await agent.ask()
    await runner.log(lease, 0, 'text')
    await runner.changes(lease, ['a.ts', 'b.ts'])
    const { objectives, projectId: ofMission } = await alice.mission({ id })
    const [objective] = objectives
    const [run] = (await alice.call('listExecutionRequests', { limit: 1 })).executionRequests
    const [runnerId, cursor] = [run?.runnerId ?? '', run?.id ?? '']
    const projectIds = [run?.projectId ?? '', ofMission]
    const bound = await alice.withToken({ preset: 'read_only', projectIds })
    const objectiveId = objective?.id ?? ''
    const countSince = new Date(Date.now() - 86_400_000).toISOString()
    await expectFlat(
      hooked,
      filled,
      async () => {
        await alice.call('listProjects', {})
        await alice.call('listMissions', {})
        const { projectId, status, updatedAt } = await alice.mission({ id })
        for (const query of ['mission do', '31999', 'nowhere', 'filled:31', 'filled:99999']) {
          await alice.call('listMissions', { query, matches: 'true' })
        }
        for (const filter of [
          { projectId },
          { projectId, query: 'mission', statusTypes: 'complete,review' },
          { statusTypes: 'blocked' },
          { statusId: status.id },
          { updatedSince: updatedAt },
          { updatedBefore: '2020-01-01T00:00:00Z' },
          { budget: 'set' },
          { budget: 'spent', statusTypes: 'draft,execute,review,blocked' },
          { budget: 'spent', projectId, statusTypes: 'cancelled' },
          { priority: 'normal' },
          { priority: 'urgent' },
          { priority: 'urgent', projectId, statusTypes: 'complete,draft' },
          { priority: 'urgent', query: 'mission do' },
        ] as const) {
          await alice.call('listMissions', filter)
        }
        await alice.call('listMissions', { ids: `${id},${subscription.id}` })
        await alice.call('getMission', { id })
        await alice.call('getMission', { id, instructionCharacters: 200 })
        await alice.call('getObjective', { id: objectiveId })
        await alice.call('listObjectives', { ids: `${objectiveId},${id}` })
        await alice.call('listMissionEvents', { id })
        await alice.call('listMissionEvents', { id, types: 'delivery', objectiveId })
        await alice.call('listFileChanges', { id })
        await alice.call('listFileChanges', { id, objectiveId, besides: 'report' })
        await alice.call('listDeliveries', { id })
        await alice.call('listBranches', {})
        await alice.call('listBranches', { missionId: id })
        await alice.call('listArtifacts', { id })
        await alice.call('getRunLog', { id: lease.id, offset: 2 })
        await alice.call('getRunLog', { id: lease.id, tail: 3 })
        await alice.call('listRunFiles', { id: lease.id, cursor: '0' })
        await alice.call('listRunFiles', { id: lease.id, patches: 'true' })
        await alice.call('listRunFiles', { id: lease.id, order: 'reason' })
        await alice.call('getRunFile', { id: lease.id, position: 1 })
        await alice.call('getRunDiff', { id: lease.id })
        await alice.call('listExecutionRequests', {})
        await alice.call('listExecutionRequests', { projectId })
        for (const filter of [
          { states: 'failed' },
          { states: 'queued,running', cursor },
          { projectId, states: 'failed,lost' },
          { projectId, cursor },
          { runnerId },
          { countSince },
          { projectId: projectIds.join(), states: 'running', countSince },
          { runnerId, states: 'delivered', cursor },
          { runnerId, projectId },
          { runnerId, projectId, states: 'running', cursor },
          { missionId: id, states: 'delivered' },
          { objectiveId, runnerId, projectId, states: 'delivered' },
        ]) {
          await alice.call('listExecutionRequests', filter)
          await bound.call('listExecutionRequests', filter)
        }
        await alice.call('listExecutionRequests', { missionId: id })
        await alice.call('listExecutionRequests', { objectiveId })
        await alice.call('getUsage', {})
        await alice.call('getUsage', { by: 'week,agent,model', projectId, agent: 'scripted' })
        await alice.call('listExecutionRequests', { ids: `${lease.id},${id}` })
        await alice.call('listQuestions', { ids: `${questionId},${id}` })
        await alice.call('getQuestion', { id: questionId })
        for (const whose of ['mine', 'all'] as const) {
          const { nextCursor: cursor } = await alice.call('listNeeds', { whose, limit: 1 })
          await alice.call('listNeeds', { whose, ...(cursor && { cursor }) })
          await alice.call('listNeeds', { whose, projectId })
          await alice.call('listNeeds', { whose, projectId: projectIds.join() })
        }
        await alice.call('getBoard', { id: 'filled' })
        for (const filter of [
          { statusTypes: 'complete', limit: 1 },
          { query: 'mission' },
          { query: 'mission 31999', priority: 'normal' },
          { priority: 'urgent' },
          ...CardBadge.options.map((badge) => ({ badge, query: 'mission' })),
        ] as const) {
          const { columns } = await alice.call('getBoard', { id: 'filled', ...filter })
          const { status: of, nextCursor: cursor } = columns.find((one) => one.nextCursor) ?? {}
          if (!of || !cursor) continue
          await alice.call('getBoard', { id: 'filled', ...filter, statusId: of.id, cursor })
        }
        await alice.call('listQuestions', {})
        await alice.call('listQuestions', { status: 'open' })
        await alice.call('listQuestions', { missionId: id })
        await alice.call('listQuestions', { objectiveId })
        await alice.call('listUserTokens', {})
        await alice.call('listRunners', {})
        await alice.call('getRunner', { id: runnerId })
        await alice.call('listAgents', {})
        await bound.call('listAgents', {})
        await alice.call('forecastLaunch', { id: objectiveId, agent: 'scripted' })
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
        await feed.next()
        const next = feed.next()
        await hooked.moveMission({ missionId: mission.id })
        await next
        await feed.return(undefined)
      }
    })
  })

  test('the loops of the service', async ({ hooked, filled }) => {
    const { world } = hooked
    // its logs are more than it may keep
    const domain = { ...hooked.domain, logQuotaBytes: 0 }
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
}
