import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { agentExamples } from '@svc/contracts/agent-examples'
import { describeTools } from '@svc/contracts/mcp/describe-tool'
import type { OpenApiDocument } from '@svc/contracts/openapi/document'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { type Place, test } from './place.ts'

const run = promisify(execFile)
const svc = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const summary = 'Done and checked.'

describe('a first delivery made exactly as it is shown is accepted', () => {
  test('in the arguments of the tool', async ({ place }) => {
    const { mission, sessionKey } = await attached(place)
    const tool = describeTools().find(({ name }) => name === 'svc_deliver_session')
    const given = { sessionKey, summary, ...examplesOf(tool?.inputSchema) }
    const answer = await post(place, '/api/tools/svc_deliver_session', given)
    expect(answer).toMatchObject({ status: 200, body: { warnings: [] } })
    await expectDelivered(place, mission)
  })

  test('in the help of the command', async ({ place }) => {
    const { mission, sessionKey } = await attached(place)
    const { stdout } = await run(process.execPath, [svc, 'protocol', 'deliver', '--help'])
    await deliverAsShown(place, sessionKey, stdout)
    await expectDelivered(place, mission)
  })

  test('in what a run is briefed with', async ({ place }) => {
    const { mission, sessionKey, instructions } = await attached(place)
    await deliverAsShown(place, sessionKey, instructions)
    await expectDelivered(place, mission)
  })
})

test('a first batch of the ledger made exactly as the API shows it is accepted', async ({
  place,
}) => {
  const { sessionKey, objective } = await attached(place)
  // it is what the API has answered
  const { paths } = JSON.parse(place.description) as OpenApiDocument
  const { requestBody } = paths['/api/objectives/{id}/ledger']?.['post'] ?? {}
  const shown = examplesOf(requestBody?.content['application/json']?.schema)
  const batch = { sessionKey, batchId: crypto.randomUUID(), seq: 0, ...shown }
  expect(await post(place, `/api/objectives/${objective.id}/ledger`, batch)).toMatchObject({
    status: 200,
    body: { items: [{ result: 'accepted' }] },
  })
})

async function attached({ world }: Place) {
  const { mission } = await world.missionWith(['Add a dark palette.'])
  const [objective] = mission.objectives
  const agent = world.agentOf(world.alice, { objectiveId: objective.displayId })
  const { sessionKey, agentInstructions: instructions } = await agent.attach()
  return { mission, objective, sessionKey, instructions }
}

const Fields = z.object({
  properties: z.record(z.string(), z.object({ examples: z.array(z.unknown()).optional() })),
})

/** The examples that a schema has, by the names of their fields. */
function examplesOf(schema: unknown): Record<string, unknown> {
  const { properties } = Fields.parse(schema)
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { examples }]) =>
      examples ? [[name, examples[0]]] : [],
    ),
  )
}

/** Runs the command in a shell, which a quoted example is written for. */
async function deliverAsShown({ world, url }: Place, sessionKey: string, text: string) {
  const shown = [...text.matchAll(/^ *(--\S+-json '.*')$/gm)].map(([, option]) => option)
  const options = [`--session-key ${sessionKey}`, `--summary '${summary}'`, ...shown]
  const command = `'${process.execPath}' '${svc}' protocol deliver ${options.join(' ')}`
  const env = { ...process.env, SVC_BACKEND_URL: url, SVC_USER_TOKEN: world.alice.token }
  const { stdout } = await run('sh', ['-c', command], { env })
  expect(JSON.parse(stdout)).toMatchObject({ warnings: [] })
}

async function expectDelivered({ world: { alice } }: Place, { id }: { id: string }) {
  const { deliveries } = await alice.call('listDeliveries', { id })
  expect(deliveries).toMatchObject([
    { summary, report: { agentReport: agentExamples.report }, artifacts: agentExamples.artifacts },
  ])
  const { fileChanges } = await alice.call('listFileChanges', { id })
  const given = agentExamples.changeRationales.map(({ filePath, ...rationale }) => ({
    filePath,
    rationale,
  }))
  expect(fileChanges).toMatchObject(given)
}

async function post({ world, url }: Place, path: string, body: object) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.alice.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  const answered: unknown = await answer.json()
  return { status: answer.status, body: answered }
}
