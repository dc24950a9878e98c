import { AgentReport } from '@svc/contracts/delivery'
import { describeTools } from '@svc/contracts/mcp/describe-tool'
import type { ToolResult } from '@svc/contracts/mcp/tool-result'
import {
  type ToolName,
  type ToolOutput,
  type ToolRequest,
  toolContracts,
} from '@svc/contracts/mcp/tools'
import { twoArtifacts } from '@svc/domain/testing/samples'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { clientKinds, connect, test } from './testing/gateway.ts'
import type { McpClient } from './testing/mcp-client.ts'

const revisions = {
  legacy: '2025-11-25',
  'modern auto': '2026-07-28',
  'modern pinned': '2026-07-28',
  'modern by default': '2025-11-25',
}

/** Calls a tool that must succeed, whose answer keeps its contract and says the same as text. */
async function run<N extends ToolName>(
  client: McpClient,
  name: N,
  input: ToolRequest<N>,
): Promise<ToolOutput<N>> {
  const result = await client.callTool(name, input)
  expect(result).not.toHaveProperty('isError', true)
  expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent)
  return toolContracts[name].output.parse(result.structuredContent) as ToolOutput<N> // by its own contract
}

function refusalOf(result: ToolResult): string | undefined {
  expect(result).toMatchObject({ isError: true })
  expect(result).not.toHaveProperty('structuredContent')
  return result._meta?.['svc/error'].code
}

describe.each(clientKinds)('a %s client', (kind) => {
  test(
    'speaks the newest revision that it can and reads the tools',
    { tags: 'large' },
    async ({ world, gateway }) => {
      await using client = await connect(kind, gateway.url, world.alice.token)
      expect(client.revision()).toBe(revisions[kind])
      expect(client.instructions()).toContain('svc_attach_session')
      expect(await client.listTools()).toEqual(describeTools())
    },
  )

  test(
    verifies(
      [
        'mcp.read-and-act',
        'mcp.post-jsonrpc',
        'tool.svc_resolve_project.resolves',
        'tool.svc_create_project.creates',
        'tool.svc_list_project_statuses.columns',
        'tool.svc_search_missions.finds',
        'tool.svc_create_mission.creates',
        'tool.svc_add_objectives.adds',
        'tool.svc_update_objective.instruction',
      ],
      'plans a mission in a project of its own',
    ),
    async ({ world, gateway }) => {
      await using client = await connect(kind, gateway.url, world.bob.token)
      const name = `Plans ${kind}`
      const { project } = await run(client, 'svc_create_project', { name })
      const resolved = await run(client, 'svc_resolve_project', { query: name.toLowerCase() })
      expect(resolved.project).toEqual(project)
      const column = { id: project.id, label: 'Waiting for Bob', type: 'blocked' } as const
      await world.bob.call('createProjectStatus', column)
      await world.projectWith()
      const board = await run(client, 'svc_list_project_statuses', { projectId: project.slug })
      expect(board.project).toEqual(project)
      expect(board.statuses.map(({ label, type }) => [label, type])).toEqual([
        ['Backlog', 'draft'],
        ['In progress', 'execute'],
        ['In review', 'review'],
        ['Done', 'complete'],
        ['Blocked', 'blocked'],
        ['Cancelled', 'cancelled'],
        ['Waiting for Bob', 'blocked'],
      ])

      const created = await run(client, 'svc_create_mission', {
        projectId: project.id,
        title: 'Dark mode for all',
        objectives: [{ instruction: 'Add a switch' }],
      })
      const ref = created.mission.displayId
      expect(new URL(created.page ?? '').pathname).toBe(`/w/here/m/${ref}`)
      const found = await run(client, 'svc_search_missions', {
        query: 'all dark',
        projectId: project.slug,
        statusTypes: ['draft'],
      })
      expect(found.missions.map(({ displayId }) => displayId)).toEqual([ref])
      const none = await run(client, 'svc_search_missions', {
        projectId: project.slug,
        statusTypes: ['review'],
      })
      expect(none.missions).toEqual([])

      const added = await run(client, 'svc_add_objectives', {
        missionId: ref,
        objectives: [{ instruction: 'Test it' }],
      })
      expect(added.objectives.map(({ title }) => title)).toEqual(['Add a switch', 'Test it'])
      const [, second] = added.objectives
      const edited = await run(client, 'svc_update_objective', {
        objectiveId: second!.displayId,
        instruction: 'Test it twice',
        auto_advance: true,
      })
      expect(edited).toMatchObject({
        objective: { instruction: 'Test it twice' },
        auto_advance: true,
      })
      const context = await run(client, 'svc_load_mission_context', {
        objectiveId: second!.displayId,
      })
      expect(context).toMatchObject({
        mission: { displayId: ref, auto_advance: true },
        currentObjective: { instruction: 'Test it twice' },
      })
    },
  )

  test(
    verifies(
      [
        'tool.svc_attach_session.attaches',
        'tool.svc_update_session.narrative',
        'tool.svc_deliver_session.delivers',
        'tool.svc_add_artifact.no-delivery',
        'tool.svc_update_artifact.in-place',
      ],
      'works on an objective to its delivery',
    ),
    async ({ world, gateway }) => {
      await using client = await connect(kind, gateway.url, world.alice.token)
      const { mission } = await world.missionWith(['Add a switch'])
      const [objective] = mission.objectives
      const { sessionKey, currentObjective } = await run(client, 'svc_attach_session', {
        agentIdentifier: 'cloud',
        objectiveId: objective.displayId,
      })
      expect(currentObjective).toMatchObject({ id: objective.id, state: 'executing' })

      const changeRationales = [
        { filePath: 'a.ts', label: 'l', summary: 's', why: 'w', impact: 'i' },
        { filePath: '../b' },
      ]
      const update = await run(client, 'svc_update_session', {
        sessionKey,
        text: 'Half done.',
        changeRationales,
      })
      expect(update).toMatchObject({
        directive: 'continue',
        warnings: [expect.stringContaining('changeRationales[1]')],
      })
      expect((await world.alice.eventsOf(mission))[0]).toMatchObject({
        type: 'update',
        summary: 'Half done.',
        objectiveId: objective.id,
      })
      const { artifact } = await run(client, 'svc_add_artifact', {
        objectiveId: objective.displayId,
        type: 'next_steps',
        label: 'Next',
        contentText: 'Ship it',
      })
      const revised = await run(client, 'svc_update_artifact', {
        sessionKey,
        artifactId: artifact.id,
        expectedRevision: artifact.revision,
        label: 'Then',
      })
      expect(revised.artifact).toMatchObject({
        id: artifact.id,
        label: 'Then',
        contentText: 'Ship it',
        revision: 2,
      })
      expect(await world.alice.objective(objective)).toMatchObject({ state: 'executing' })

      const delivered = await run(client, 'svc_deliver_session', {
        objectiveId: objective.displayId,
        summary: 'Added the switch.',
        report: { risks: [{ text: 'None seen' }] },
      })
      expect(delivered).toMatchObject({
        objective: { state: 'complete' },
        mission: { phase: 'review' },
      })
      const { deliveries } = await run(client, 'svc_list_deliveries', {
        objectiveId: objective.displayId,
      })
      expect(deliveries).toMatchObject([
        {
          id: delivered.deliveryId,
          report: { agentReport: { risks: [{ text: 'None seen' }] } },
          fileChanges: [{ filePath: 'a.ts', rationale: { why: 'w' } }],
        },
      ])
      const again = await run(client, 'svc_deliver_session', {
        sessionKey,
        summary: 'Added the switch.',
        report: { risks: [{ text: 'None seen' }] },
      })
      expect(again.deliveryId).toBe(delivered.deliveryId)
    },
  )

  test(
    verifies(
      'tool.svc_list_deliveries.summaries',
      'reads what was delivered in one mission, the newest first, each with its whole report',
    ),
    async ({ world, gateway }) => {
      await using client = await connect(kind, gateway.url, world.alice.token)
      const { mission, project } = await world.missionWith(['Add a switch', 'Test it'])
      const other = await world.missionWith(['Else'], { project })
      const [one, two] = mission.objectives
      const deliver = async ({ displayId: objectiveId }: typeof one, said: object) => {
        const agent = world.agentOf(world.alice, { objectiveId })
        await agent.attach()
        await agent.deliver(said)
      }
      const rationale = { filePath: 'a.ts', label: 'l', summary: 's', why: 'w', impact: 'i' }
      const said = { report: { risks: [{ text: 'None' }] }, changeRationales: [rationale] }
      await deliver(one, { summary: 'Added the switch.', ...said })
      await deliver(other.mission.objectives[0], { summary: 'Did else.' })
      await deliver(two, { summary: 'Tested it.', artifacts: twoArtifacts })

      const reportOf = (markdown: string, report: object) => ({
        schemaVersion: 1,
        agentReport: { ...AgentReport.parse({}), ...report },
        presentation: { status: 'deterministic', markdown: expect.stringContaining(markdown) },
      })
      const lineOf = ({ id, displayId, position, title }: typeof one) => {
        return { id, displayId, position, title, state: 'complete' }
      }
      const each = { id: expect.any(String), createdAt: expect.any(String), checks: null }
      const listed = await run(client, 'svc_list_deliveries', { objectiveId: one.displayId })
      expect(listed).toEqual({
        deliveries: [
          {
            ...each,
            summary: 'Tested it.',
            objective: lineOf(two),
            report: reportOf('Tested it.', {}),
            artifacts: twoArtifacts.map((artifact) => expect.objectContaining(artifact)),
            fileChanges: [],
          },
          {
            ...each,
            summary: 'Added the switch.',
            objective: lineOf(one),
            report: reportOf('Added the switch.', said.report),
            artifacts: [],
            fileChanges: [expect.objectContaining({ filePath: 'a.ts' })],
          },
        ],
      })
      expect(await run(client, 'svc_list_deliveries', { missionId: mission.id })).toEqual(listed)
    },
  )

  test(
    verifies(
      ['tool.svc_launch_objective.no-attach', 'args.primary-display-id-enough'],
      'launches an objective and stays out of it',
    ),
    async ({ world, gateway }) => {
      await using client = await connect(kind, gateway.url, world.alice.token)
      const { mission } = await world.missionWith(['Add a switch'])
      const [objective] = mission.objectives
      const order = { objectiveId: objective.displayId, agent: 'scripted' }
      const launched = await run(client, 'svc_launch_objective', order)
      expect(launched).toMatchObject({
        executionRequest: { status: 'queued', source: 'mcp', sessionId: null },
        objective: { state: 'launching' },
        reused: false,
      })
      const again = await run(client, 'svc_launch_objective', { ...order, missionId: mission.id })
      expect(again).toMatchObject({
        reused: true,
        executionRequest: { id: launched.executionRequest.id },
      })
      expect(await world.alice.requestsOf(mission)).toHaveLength(1)
    },
  )

  test(
    verifies('mcp.lifecycle', 'is refused what the lifecycle forbids, and nothing changes'),
    async ({ world, gateway }) => {
      await using client = await connect(kind, gateway.url, world.alice.token)
      const { mission } = await world.missionWith(['One', 'Two', ''])
      const [one, two, blank] = mission.objectives
      await run(client, 'svc_launch_objective', { objectiveId: one.id, agent: 'scripted' })
      const written = await world.rowsWrittenBy(async () => {
        const launch = (objectiveId: string) =>
          client.callTool('svc_launch_objective', { objectiveId, agent: 'scripted' })
        expect(refusalOf(await launch(two.displayId))).toBe('mission_busy')
        expect(refusalOf(await launch(blank.displayId))).toBe('objective_blank')
        const edit = { objectiveId: one.displayId, instruction: 'Else' }
        expect(refusalOf(await client.callTool('svc_update_objective', edit))).toBe(
          'invalid_transition',
        )
      })
      expect(written).toEqual({ rows: [], refusal: undefined })
    },
  )

  test(
    'is told by a result what it can correct, and never by an exception',
    { tags: 'large' },
    async ({ world, gateway }) => {
      await using client = await connect(kind, gateway.url, world.alice.token)
      const { mission } = await world.missionWith(['One'])
      const [one] = mission.objectives
      const call = async (name: ToolName, args: object) =>
        refusalOf(await client.callTool(name, args))
      expect(await call('svc_load_mission_context', { missionId: 'nowhere:1' })).toBe('not_found')
      expect(await call('svc_load_mission_context', { objectiveId: one.id })).toBe(
        'validation_failed',
      )
      expect(await call('svc_create_project', { name: 'x', nobody_knows: 1 })).toBe(
        'validation_failed',
      )
      expect(await call('svc_update_session', { sessionKey: 'sess_x', text: 'x' })).toBe(
        'not_found',
      )
      expect(
        await call('svc_deliver_session', { missionId: mission.displayId, summary: 'x' }),
      ).toBe('not_found')
      expect(await call('svc_search_missions', { cursor: 'x' })).toBe('validation_failed')
    },
  )

  test('hears of an unknown tool by an error of the protocol', async ({ world, gateway }) => {
    await using client = await connect(kind, gateway.url, world.alice.token)
    await expect(client.callTool('svc_delete_everything')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: svc_delete_everything'),
    })
  })

  test(
    'may do over MCP what its person may do, and no more',
    { tags: 'large' },
    async ({ world, gateway }) => {
      await using viewer = await connect(kind, gateway.url, world.vera.token)
      await using stranger = await connect(kind, gateway.url, world.carla.token)
      const { mission } = await world.missionWith(['One'])
      const [one] = mission.objectives
      await run(viewer, 'svc_load_mission_context', { missionId: mission.displayId })
      const launch = { objectiveId: one.displayId, agent: 'scripted' }
      const refused = await viewer.callTool('svc_launch_objective', launch)
      expect(refusalOf(refused)).toBe('forbidden')
      expect(refused.content[0]?.text).toContain('execution_request:create')
      expect(refusalOf(await stranger.callTool('svc_launch_objective', launch))).toBe('not_found')
      expect(
        refusalOf(await stranger.callTool('svc_load_mission_context', { missionId: mission.id })),
      ).toBe('not_found')
      expect(await world.alice.requestsOf(mission)).toEqual([])
    },
  )

  test('carries a call out once for each key that it names', async ({ world, gateway }) => {
    await using client = await connect(kind, gateway.url, world.alice.token)
    const { mission } = await world.missionWith([])
    const add = (instruction: string, key: string) =>
      client.callTool(
        'svc_add_objectives',
        { missionId: mission.displayId, objectives: [{ instruction }] },
        { 'svc/idempotency-key': key },
      )
    const first = await add('Once', `${kind} 1`.replaceAll(' ', '-'))
    expect((await add('Once', `${kind} 1`.replaceAll(' ', '-'))).structuredContent).toEqual(
      first.structuredContent,
    )
    expect(refusalOf(await add('Else', `${kind} 1`.replaceAll(' ', '-')))).toBe(
      'idempotency_mismatch',
    )
    expect(refusalOf(await add('Else', 'no spaces please'))).toBe('validation_failed')
    expect((await world.alice.mission(mission)).objectives).toHaveLength(1)
  })
})
