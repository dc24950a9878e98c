import { sendLedger } from '../testing/samples.ts'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { v7 } from 'uuid'

type Identified = { id: string }

/** Gives a row the id that a process would have made whose clock is an hour ahead of everybody else's. */
async function madeAhead<Row extends Identified>(
  { domain }: World,
  table: 'execution_requests' | 'agent_sessions',
  row: Row,
): Promise<Row> {
  const id = v7({ msecs: Date.now() + 3_600_000 })
  await sql`update ${sql.table(table)} set id = ${id} where id = ${row.id}`.execute(domain.db)
  return { ...row, id }
}

describe('a launch after one of a process whose clock is ahead', () => {
  test('is the current one: its agent attaches, and its run is the first in every list', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const launched = await alice.launch(objective)
    const earlier = await madeAhead(world, 'execution_requests', launched.executionRequest)
    await alice.call('cancelExecutionRequest', { id: earlier.id })

    const runner = await world.connectedRunner(project)
    const { lease, agent } = await world.startedRun(objective, runner)
    expect(lease.id < earlier.id).toBe(true)
    await agent.attach()
    await agent.update()

    const newestFirst = [lease.id, earlier.id]
    for (const filter of [{ missionId: mission.id }, { objectiveId: objective.displayId }, {}]) {
      const page = await alice.call('listExecutionRequests', { ...filter, limit: 1 })
      const next = { ...filter, limit: 1, cursor: page.nextCursor }
      const rest = await alice.call('listExecutionRequests', next)
      const pages = [...page.executionRequests, ...rest.executionRequests]
      expect(pages.map(({ id }) => id)).toEqual(newestFirst)
    }
    expect((await agent.deliver()).objective.state).toBe('complete')
  })

  test('leaves nothing to the run that was lost before it', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    await madeAhead(world, 'execution_requests', (await alice.launch(objective)).executionRequest)
    const runner = await world.connectedRunner(project)
    const lost = await runner.take()
    await runner.launching(lost)
    await runner.launched(lost)
    const before = runner.agent(lost)
    await before.attach()
    await world.advance(20 * 60)
    await world.settle()

    await runner.claim()
    const { agent } = await world.attachedRun(objective, runner)

    await expect(before.update()).rejects.toMatchObject({ code: 'stale_execution' })
    await expect(before.deliver()).rejects.toMatchObject({ code: 'stale_execution' })
    expect(await runner.heartbeat(lost)).toMatchObject([{ ok: false, reason: 'superseded' }])
    expect((await agent.deliver()).objective.state).toBe('complete')
  })

  test('shows its own diff, though the earlier run sends one later', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const lost = await world.attachedRun(objective)
    await world.advance(20 * 60)
    await world.settle()
    const { runner, lease, agent } = await world.startedRun(
      objective,
      await world.connectedRunner({ id: mission.projectId }),
    )
    const changed = (filePath: string) => ({ stat: [{ filePath, additions: 1, deletions: 0 }] })

    await runner.diff(lease, changed('new.ts'))
    await lost.runner.diff(lost.lease, changed('old.ts'))
    await agent.attach()
    await agent.deliver()

    const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
    expect(fileChanges.map(({ filePath }) => filePath)).toEqual(['new.ts'])
  })
})

describe('an agent without a request', () => {
  test('goes on after a launch of a process whose clock is ahead was cancelled', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { executionRequest } = await alice.launch(objective)
    const earlier = await madeAhead(world, 'execution_requests', executionRequest)
    await alice.call('cancelExecutionRequest', { id: earlier.id })

    const agent = world.agentOf(alice, { objectiveId: objective.displayId })
    await agent.attach()

    await agent.update()
    expect((await agent.deliver()).objective.state).toBe('complete')
  })

  test('whose session a process ahead has opened gives way to a later launch', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const agent = world.agentOf(alice, { objectiveId: objective.displayId })
    const { session } = await agent.attach()
    await madeAhead(world, 'agent_sessions', session)
    await world.advance(20 * 60)
    await world.settle()

    await world.startedRun(objective, await world.connectedRunner(project))

    await expect(agent.update()).rejects.toMatchObject({ code: 'stale_execution' })
  })
})

describe('a session after one that a process ahead has opened', () => {
  test('is the one that its run shows and ends with, and that the objective’s name stands for', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { runner, lease, agent } = await world.startedRun(objective)
    await madeAhead(world, 'agent_sessions', (await agent.attach()).session)
    const { session } = await agent.attach()

    expect(await alice.request(lease)).toMatchObject({ sessionId: session.id })
    await agent.update({ sessionKey: objective.displayId })
    await runner.exited(lease)
    await expect(agent.update()).rejects.toMatchObject({
      code: 'session_ended',
      details: { endReason: 'exited' },
    })
  })

  test('says last what became of a file', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { agent } = await world.startedRun(objective)
    const report = (vcsStatus: string) =>
      sendLedger(alice, { agent, objective, items: [{ filePath: 'a.ts', vcsStatus }] })
    const earlier = (await agent.attach()).session
    await report('added')
    const { id } = await madeAhead(world, 'agent_sessions', earlier)
    await sql`update ledger_batches set session_id = ${id} where session_id = ${earlier.id}`.execute(
      world.domain.db,
    )
    await agent.attach()
    await report('deleted')

    await agent.deliver()

    const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
    expect(fileChanges).toMatchObject([{ filePath: 'a.ts', vcsStatus: 'deleted' }])
  })
})
