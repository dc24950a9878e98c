import { readFeed } from '@svc/domain/feed/read-feed'
import { domainLoops } from '@svc/domain/handlers/loops'
import { callTool } from '@svc/domain/handlers/tools'
import { type ToolName, type ToolRequest, toolContracts } from '@svc/contracts/mcp/tools'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { forgetOldDeliveries } from '@svc/domain/webhooks/sending/retention'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { sweepDeliveries, sweepEvents, sweepHeld } from '@svc/domain/webhooks/sending/sweeps'
import { type Hooked, test as base } from '@svc/testing/hooked-world'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { fill } from './flat/fill.ts'
import { type Access, accessesOf, statementsOf } from './flat/plans.ts'

/** Missions of alice's workspace, of carla's, and of one in which nobody of ours is. */
const sizes = { here: 40_000, elsewhere: 9_000, third: 1_000 }

/** Indexes that are read across workspaces, each with why that costs what is found and no more. */
const bySecret = {
  user_tokens_token_hmac_key: 'a token says whose it is',
  agent_sessions_session_key_hash_key: 'so does a session key',
  webhook_delivery_log: 'a subscription is of one workspace',
}
const byLoops = {
  ...bySecret,
  execution_requests_leased: 'holds the runs under way',
  execution_requests_one_live: 'holds the runs under way',
  execution_requests_to_attach: 'holds the runs whose agent is awaited, by when',
  agent_sessions_listened: 'holds the sessions that are listened to',
  agent_sessions_one_live: 'holds the sessions that live',
  agent_sessions_alone: 'holds the sessions that are listened to and have no run',
  questions_to_expire: 'is read from its due end',
  objectives_launching: 'holds what is being launched',
  missions_advance_owed: 'holds the missions whose next step is owed',
  entity_changes_age: 'is read from its old end',
  idempotency_keys_age: 'is read from its old end',
  idempotency_keys_secret: 'holds the secret answers of minutes',
  webhook_event_waiting: 'holds the events that wait',
  webhook_delivery_due: 'is read from its due end',
  webhook_delivery_tests: 'holds the tests of webhooks, which people send one by one',
}
type Crossing = Readonly<Record<string, string>>

const test = base.extend('filled', { scope: 'file' }, async ({ world }) => {
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
  // each owner is of one of these sizes
  await Promise.all(
    owners.map(([name, owner]) => fill(db, owner, sizes[name as keyof typeof sizes])),
  )
  await sql`analyze`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and reltuples > 3000`.execute(db)
  return { big: new Set(rows.map((row) => row.name)) }
})

/** What is wrong with how this reads a big table, if anything is. */
function wrongWith({ table, index, condition }: Access, crossing: Crossing): string | undefined {
  if (index === null) return `${table} is read from end to end`
  // an id is that of one row, whatever its workspace
  if (/\b(workspace_id|id) = /.test(condition)) return undefined
  if (crossing[index] !== undefined) return undefined
  return `${index} is read across workspaces: ${condition || 'all of it'}`
}

async function expectFlat(
  { domain }: Pick<Hooked, 'domain'>,
  { big, crossing = bySecret }: { big: ReadonlySet<string>; crossing?: Crossing },
  work: () => Promise<unknown>,
): Promise<void> {
  const sent = await statementsOf(work)
  const found = await Promise.all(
    sent.map(async (statement) => {
      const accesses = await accessesOf(domain.db, statement)
      const wrong = accesses
        .filter(({ table }) => big.has(table))
        .map((access) => wrongWith(access, crossing))
      return wrong.flatMap((one) => (one ? [`${one}\n    ${flatten(statement.text)}`] : []))
    }),
  )
  expect(sent.length).toBeGreaterThan(0)
  expect(found.flat()).toEqual([])
}

const flatten = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)

describe(
  'with 50,000 missions behind it, every statement costs what it finds:',
  { timeout: 240_000 },
  () => {
    test('a launch path to the end of its mission', async ({ hooked, filled }) => {
      const { world, subscribe, deliverDue } = hooked
      await subscribe({ eventTypes: ['mission.delivered'], payloadMode: 'full' })
      const { mission, project } = await world.missionWith(['one', 'two', 'three'], {
        auto_advance: true,
        resources: [{ resourceKey: 'app', permission: 'rw', primary: true }],
      })
      const runner = await world.connectedRunner(project, {
        resources: [{ projectId: project.id, resourceKey: 'app' }],
      })
      await expectFlat(hooked, filled, async () => {
        await world.alice.launch(mission.objectives[0])
        for (const _ of mission.objectives) {
          const lease = await runner.take()
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

    test('a run that is given back, one that fails, and one that is cancelled', async ({
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
        const [newest] = await world.alice.requestsOf(mission)
        await world.alice.call('cancelExecutionRequest', { id: newest?.id ?? executionRequest.id })
      })
    })

    test('a question, its answer, and the run that goes on with it', async ({ hooked, filled }) => {
      const { world } = hooked
      const { mission, project } = await world.missionWith(['one', 'two'])
      const runner = await world.connectedRunner(project)
      const { agent, lease } = await world.attachedRun(mission.objectives[0], runner)
      await expectFlat(hooked, filled, async () => {
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
      await expectFlat(hooked, filled, async () => {
        await alice.call('listProjects', {})
        await alice.call('listMissions', {})
        await alice.call('listMissions', { projectId: (await alice.mission({ id })).projectId })
        await alice.call('getMission', { id })
        await alice.call('getObjective', { id: objectiveId })
        await alice.call('listMissionEvents', { id })
        await alice.call('listFileChanges', { id })
        await alice.call('listDeliveries', { id })
        await alice.call('listArtifacts', { id })
        await alice.call('listExecutionRequests', {})
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
      })
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

    test('the feed of a mission and of a workspace', async ({ hooked, filled }) => {
      const { world, alice, domain } = hooked
      const { mission } = await world.missionWith(['one'])
      const actor = await alice.actor()
      await expectFlat(hooked, filled, async () => {
        for (const missionId of [mission.id, undefined]) {
          const feed = readFeed({ domain }, actor, { missionId })
          const next = feed.next()
          await hooked.moveMission({ missionId: mission.id })
          await next
          await feed.return(undefined)
        }
      })
    })

    test('the loops of the service', async ({ hooked, filled }) => {
      const { domain } = hooked
      await expectFlat(hooked, { ...filled, crossing: byLoops }, async () => {
        for (const loop of domainLoops(domain)) await loop.run()
        await fanOutDue(domain, defaultTiming)
        await sweepEvents(domain)
        await sweepDeliveries(domain, defaultTiming)
        await sweepHeld(domain)
        await forgetOldDeliveries(domain)
      })
    })

    test('what is held, of which only what is held too long is read', async ({
      hooked: { domain },
      filled: { big },
    }) => {
      const sent = await statementsOf(() => sweepHeld(domain))
      const read = (await Promise.all(sent.map((one) => accessesOf(domain.db, one)))).flat()
      const held = read.filter(({ table, index }) => big.has(table) && index?.endsWith('_held'))
      expect(held.map(({ condition }) => condition)).toEqual([
        expect.stringMatching(/subscription_id = .* AND \(id < /),
      ])
    })
  },
)
