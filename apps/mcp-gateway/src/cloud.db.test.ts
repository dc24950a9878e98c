import { toolNames } from '@svc/contracts/mcp/tools'
import { verifies } from '@svc/testing/verifies'
import { expect } from 'vitest'
import { connect, test } from './testing/gateway.ts'
import { callsOfAlice } from './testing/tool-calls.ts'

test(
  verifies(
    ['mcp.no-claim', 'mcp.no-target-mutation', 'mcp.no-branch-actions', 'cli.local-only-actions'],
    'called one after the other, all tools together claim no run, move none elsewhere, and touch no branch',
  ),
  { tags: 'large' },
  async ({ world, gateway }) => {
    const { db } = world.domain
    const { mission, project } = await world.missionWith(['Wait', 'Run'], {
      allowParallelObjectives: true,
      resources: [{ resourceKey: 'app', permission: 'rw', primary: true }],
    })
    const [waiting, running] = mission.objectives
    const runner = await world.connectedRunner(project, {
      resources: [{ projectId: project.id, resourceKey: 'app' }],
    })
    await world.alice.launch(running)
    const lease = await runner.take()
    await runner.launching(lease, 'svc/mine', { baseSha: 'a'.repeat(40) })
    await runner.launched(lease)
    await world.alice.launch(waiting)
    const calls = await callsOfAlice(world)
    // where and by whom each request is carried out, and what is known of branches
    const stored = async () => {
      const requests = db.selectFrom('execution_requests').orderBy('id')
      const own = requests.where('mission_id', '=', mission.id)
      return Promise.all([
        own
          .select(['status', 'generation', 'claim_id', 'runner_id'])
          .select(['resource_key', 'agent', 'config', 'prepared'])
          .execute(),
        requests.where('runner_id', 'is not', null).select('id').execute(),
        db.selectFrom('mission_branches').selectAll().execute(),
        db.selectFrom('project_resources').selectAll().execute(),
        db.selectFrom('runners').select('id').execute(),
      ])
    }
    const before = await stored()
    expect(before[2]).toMatchObject([{ branch: 'svc/mine' }])
    expect(before[0]).toMatchObject([{ status: 'launched' }, { status: 'queued', runner_id: null }])

    await using client = await connect('modern auto', gateway.url, world.alice.token)
    for (const name of toolNames) {
      const { content, isError } = await client.callTool(name, calls[name])
      expect([name, isError && content]).toEqual([name, undefined])
    }

    expect(await stored()).toEqual(before)
  },
)
