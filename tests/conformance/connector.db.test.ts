import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { toolNames } from '@svc/contracts/mcp/tools'
import { rowsLeftBy } from '@svc/testing/rows-left'
import { verifies } from '@svc/testing/verifies'
import { expect } from 'vitest'
import { commandLine, describeConnector, start, test } from './describe-connector.ts'

// The larger dose takes both kinds of client, whole.
describeConnector('modern', { isWhole: false })

test(
  verifies(
    'tool.svc_attach_session.same-command',
    'svc_attach_session does what the command does: the same rows, the same key remembered, the same answer',
  ),
  async ({ place: { world, url } }) => {
    const attached = async (
      attach: (env: Record<string, string>) => Promise<Record<string, unknown>>,
    ) => {
      const { mission } = await world.missionWith(['Add a switch'])
      const { lease } = await world.startedRun(mission.objectives[0])
      await using folder = await mkdtempDisposable(join(tmpdir(), 'svc-connector-'))
      const env = {
        SVC_EXECUTION_REQUEST_ID: lease.id,
        SVC_EXECUTION_GENERATION: String(lease.generation),
        SVC_OBJECTIVE_ID: mission.objectives[0].displayId,
        SVC_TMPDIR: folder.path,
      }
      let answer: Record<string, unknown> = {}
      const rows = await rowsLeftBy(world.domain.db, async () => {
        answer = await attach(env)
      })
      const kept = await readFile(join(folder.path, `run-${lease.id}.json`), 'utf8')
      const remembered = JSON.parse(kept) as { sessionKey?: unknown } // as it was written
      expect(remembered.sessionKey).toBe(answer['sessionKey'])
      return {
        // the service's own loops write at the same time
        rows: rows.filter((row) =>
          /^(?:agent_sessions|execution_requests|mission|objective)/.test(row),
        ),
        remembered: Object.keys(remembered).toSorted(),
        answered: Object.keys(answer).toSorted(),
      }
    }
    const byTool = await attached(async (env) => {
      await using tools = await start('modern', url, world.alice.token, env)
      const { structuredContent = {} } = await tools.callTool('svc_attach_session', {
        agentIdentifier: 'desk',
      })
      return structuredContent
    })
    const byCommand = await attached(async (env) => {
      const { command, args, env: given } = commandLine(url, world.alice.token, env)
      const attach = [...args, 'protocol', 'attach', '--agent', 'desk', '--json']
      const { stdout } = await promisify(execFile)(command, attach, { env: given })
      return JSON.parse(stdout) as Record<string, unknown> // as the command prints it
    })
    expect(byTool.rows).not.toEqual([])
    expect(byTool).toEqual(byCommand)
  },
)

test('every tool is a call of the REST surface too, and an unknown one is not there', async ({
  place,
}) => {
  const send = (name: string) =>
    fetch(`${place.url}/api/tools/${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${place.world.alice.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ nobody_knows: 1 }),
    })
  const answers = await Promise.all(toolNames.map(async (name) => (await send(name)).status))
  expect(answers).toEqual(toolNames.map(() => 400))
  const unknown = await send('svc_unknown')
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toMatchObject({ error: { code: 'not_found' } })
})
