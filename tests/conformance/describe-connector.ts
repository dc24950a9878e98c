import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testAt } from '@svc/api/testing/place'
import { describeTools } from '@svc/contracts/mcp/describe-tool'
import { type ToolName, type ToolRequest, toolContracts, toolNames } from '@svc/contracts/mcp/tools'
import { readWidget, widgetResources } from '@svc/contracts/mcp/widgets'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { parseRules } from '../coverage.ts'
import { type ClientKind, connectStdio } from './stdio-clients.ts'

const root = join(import.meta.dirname, '../..')

/** The people of a world, and the service that their connectors talk to. */
export const test = testAt((place) => place)

export const commandLine = (url: string, token: string, env = {}) => ({
  command: process.execPath,
  args: [join(root, 'apps/cli/src/main.ts')],
  env: { HOME: '/nonexistent', SVC_BACKEND_URL: url, SVC_USER_TOKEN: token, ...env },
})

export const start = (kind: ClientKind, url: string, token: string, env = {}) => {
  const { args, ...svc } = commandLine(url, token, env)
  return connectStdio(kind, { ...svc, args: [...args, 'mcp'] })
}

const nowhere = { missionId: 'nowhere:1' }
const nothing = { objectiveId: 'nowhere:1.k7qd' }
/** A call of every tool that changes nothing that is there. */
const harmless: { [N in ToolName]: ToolRequest<N> } = {
  svc_resolve_project: { query: 'nowhere' },
  svc_create_project: { name: 'Somewhere' },
  svc_list_project_statuses: { projectId: 'nowhere' },
  svc_search_missions: {},
  svc_create_mission: { projectId: 'nowhere', title: 'x' },
  svc_create_inbox_item: { title: 'x' },
  svc_load_mission_context: nowhere,
  svc_list_deliveries: nowhere,
  svc_launch_objective: { ...nothing, agent: 'scripted' },
  svc_add_objectives: { ...nowhere, objectives: [{ instruction: 'x' }] },
  svc_update_objective: { ...nothing, instruction: 'x' },
  svc_list_run_queues: { projectId: 'nowhere' },
  svc_reorder_run_queue: { queueId: crypto.randomUUID(), orderedEntryIds: [] },
  svc_queue_objective: nothing,
  svc_manage_run_queue: { action: 'create', projectId: 'nowhere', name: 'x' },
  svc_reorder_future_objectives: { ...nowhere, objectiveIds: [crypto.randomUUID()] },
  svc_delete_missions: { missionIds: ['nowhere:1'] },
  svc_delete_objectives: { objectiveIds: ['nowhere:1.k7qd'] },
  svc_attach_session: { ...nowhere, agentIdentifier: 'desk' },
  svc_update_session: { ...nothing, text: 'x' },
  svc_deliver_session: { ...nothing, summary: 'x' },
  svc_record_work: { ...nowhere, summary: 'x' },
  svc_add_artifact: { ...nowhere, type: 'note', label: 'x', contentText: 'x' },
  svc_update_artifact: {
    ...nowhere,
    artifactId: crypto.randomUUID(),
    expectedRevision: 1,
    label: 'x',
  },
}

/** What a client of this kind has of `svc mcp`; without `isWhole`, what proves a rule. */
export function describeConnector(kind: ClientKind, { isWhole = true } = {}) {
  // who only asks asks the one process
  const connected = test.extend('tools', { scope: 'file' }, async ({ place }, { onCleanup }) => {
    const tools = await start(kind, place.url, place.world.alice.token)
    onCleanup(() => tools[Symbol.asyncDispose]())
    return tools
  })

  describe(`svc mcp with a ${kind} client`, () => {
    connected(
      verifies(
        ['connector.same-names', 'connector.same-input-shapes'],
        'lists the same as the hosted endpoint',
      ),
      async ({ tools }) => {
        const listed = await tools.listTools()
        expect(listed).toEqual(describeTools())
      },
    )

    connected('has the widgets that the list points at', async ({ tools }) => {
      for (const { uri } of widgetResources) {
        expect(await tools.readResource(uri)).toEqual([readWidget(uri)])
      }
      await expect(tools.readResource('ui://svc/none.html')).rejects.toThrow('Unknown resource')
    })

    connected(
      verifies('tool.catalog', 'lists the tools of the specification, no more and no fewer'),
      async ({ tools }) => {
        const rules = parseRules(await readFile(join(root, 'tests/requirements.tsv'), 'utf8'))
        const specified = rules.flatMap(({ id }) => /^tool\.(svc_\w+)\.schema$/.exec(id)?.[1] ?? [])
        const listed = (await tools.listTools()) as { name: string }[] // as both clients have it
        expect(specified).toHaveLength(24)
        expect(listed.map(({ name }) => name).toSorted()).toEqual(specified.toSorted())
      },
    )

    connected(
      verifies('connector.no-hosted-alone', 'has the service answer a call of each hosted tool'),
      async ({ tools }) => {
        for (const name of toolNames) {
          const { isError, _meta } = await tools.callTool(name, harmless[name])
          const answer = isError ? _meta?.['svc/error'].code : 'answered'
          expect([name, answer]).toEqual([
            name,
            expect.stringMatching(/^(answered|not_found|already_exists)$/),
          ])
        }
      },
    )

    if (!isWhole) return

    test('carries an objective to its delivery', async ({ place }) => {
      const { alice } = place.world
      const { mission } = await place.world.missionWith(['Add a switch'])
      const [objective] = mission.objectives
      const { lease } = await place.world.startedRun(objective)
      await using folder = await mkdtempDisposable(join(tmpdir(), 'svc-connector-'))
      // as the command does, the tool takes from its run what is not given, and leaves the key where it is looked for
      await using tools = await start(kind, place.url, alice.token, {
        SVC_EXECUTION_REQUEST_ID: lease.id,
        SVC_EXECUTION_GENERATION: String(lease.generation),
        SVC_OBJECTIVE_ID: objective.displayId,
        SVC_TMPDIR: folder.path,
      })
      const attached = await tools.callTool('svc_attach_session', { agentIdentifier: 'desk' })
      const session = toolContracts.svc_attach_session.output.parse(attached.structuredContent)
      expect(session.currentObjective).toMatchObject({ id: objective.id, state: 'executing' })
      expect(session.session.executionRequestId).toBe(lease.id)
      expect(session.agentInstructions).toContain('svc_deliver_session')
      const remembered = await readFile(join(folder.path, `run-${lease.id}.json`), 'utf8')
      expect(JSON.parse(remembered)).toMatchObject({
        sessionKey: session.sessionKey,
        objectiveId: objective.id,
      })
      const { sessionKey } = session
      await tools.callTool('svc_update_session', { sessionKey, text: 'Half done.' })
      const delivered = await tools.callTool('svc_deliver_session', {
        sessionKey,
        summary: 'Done.',
      })
      expect(delivered.structuredContent).toMatchObject({ objective: { state: 'complete' } })
      expect(await alice.objective(objective)).toMatchObject({ state: 'complete' })
    })

    connected('answers refusals as the hosted endpoint does', async ({ place, tools }) => {
      const { alice, vera } = place.world
      const { mission } = await place.world.missionWith(['One'])
      await using viewer = await start(kind, place.url, vera.token)
      const missing = await tools.callTool('svc_load_mission_context', { missionId: 'nowhere:1' })
      expect(missing).toMatchObject({
        isError: true,
        content: [
          { text: 'not_found: No mission nowhere:1 here. List them with: svc_search_missions' },
        ],
        _meta: { 'svc/error': { code: 'not_found', retryable: false } },
      })
      const wrong = await tools.callTool('svc_create_project', { nobody_knows: 1 })
      expect(wrong).toMatchObject({
        isError: true,
        _meta: { 'svc/error': { code: 'validation_failed' } },
      })
      const keyed = await tools.callTool(
        'svc_create_project',
        { name: `Keyed by a ${kind} client` },
        { 'svc/idempotency-key': 7 },
      )
      expect(keyed).toMatchObject({
        isError: true,
        content: [{ text: 'validation_failed: Give _meta["svc/idempotency-key"] as a text.' }],
      })
      const { projects } = await alice.call('listProjects', {})
      expect(projects.map(({ name }) => name)).not.toContain(`Keyed by a ${kind} client`)
      const launch = { objectiveId: mission.objectives[0].displayId, agent: 'scripted' }
      const denied = await viewer.callTool('svc_launch_objective', launch)
      expect(denied).toMatchObject({
        isError: true,
        _meta: { 'svc/error': { code: 'forbidden' } },
      })
      await expect(tools.callTool('svc_unknown', {})).rejects.toMatchObject({ code: -32602 })
    })

    test('says that the service is away, and stays', async ({ place }) => {
      await using tools = await start(kind, 'http://127.0.0.1:9', place.world.alice.token)
      const answer = await tools.callTool('svc_resolve_project', {})
      expect(answer).toMatchObject({
        isError: true,
        _meta: { 'svc/error': { code: 'unreachable', retryable: true } },
      })
      expect(await tools.listTools()).toHaveLength(toolNames.length)
    })
  })
}
