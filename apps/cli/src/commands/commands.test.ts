import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runInTest } from '../testing/cli.ts'

const id = (last: string) => `0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b${last}`
const at = '2026-01-02T03:04:05.000Z'

const mission = {
  id: id('01'),
  displayId: 'web:12',
  projectId: id('02'),
  title: 'Dark mode \u001b[31mnow',
  status: { id: id('03'), type: 'execute', label: 'In progress' },
  phase: 'execute',
  priority: 'normal',
  active_branch: null,
  allowParallelObjectives: false,
  auto_advance: false,
  revision: 1,
  createdAt: at,
  updatedAt: at,
}
const objective = {
  id: id('04'),
  displayId: 'web:12.k7qd',
  state: 'submitted',
  title: 'Add a switch',
  instruction: 'Add a switch.\nTest it.',
}
const request = {
  id: id('05'),
  missionId: mission.id,
  status: 'queued',
  outcome: null,
  agent: 'claude',
  failure: null,
  exit: null,
}
const statuses = [
  { id: id('06'), type: 'execute', label: 'In progress' },
  { id: id('07'), type: 'review', label: 'In review' },
]
const event = (last: string, type: string, summary: string) => ({
  id: id(last),
  type,
  summary,
  actor: { name: 'alice', role: 'member' },
  createdAt: at,
})

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>
type Answer = (body: unknown, request: IncomingMessage) => unknown

let server: Server
let routes: Record<string, Answer>
let calls: { route: string; body: unknown }[]

beforeAll(async () => {
  const respond: Respond = async (incoming, outgoing) => {
    const route = `${incoming.method} ${incoming.url}`
    const sent = await text(incoming)
    const body: unknown = sent === '' ? undefined : JSON.parse(sent)
    calls.push({ route, body })
    const answer = routes[route]?.(body, incoming)
    if (answer instanceof Uint8Array) {
      outgoing.writeHead(200, { 'x-svc-next-offset': String(answer.length), 'x-svc-ended': 'true' })
      outgoing.end(answer)
      return
    }
    const missing = { error: { code: 'not_found', message: `No ${route} here.`, requestId: 'r' } }
    outgoing.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(answer ?? missing))
  }
  server = createServer((incoming, outgoing) => void respond(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  routes = {}
  calls = []
})

function svc(...argv: string[]) {
  // A server that listens on a port has an address of this shape.
  const { port } = server.address() as AddressInfo
  const env = { SVC_BACKEND_URL: `http://127.0.0.1:${port}`, SVC_USER_TOKEN: 'token' }
  return runInTest(env, ...argv)
}

describe('missions', () => {
  test('are listed as a table that holds no control character', async () => {
    routes['GET /api/missions?limit=50&projectId=web'] = () => ({ missions: [mission] })
    const { code, stdout } = await svc('missions', 'list', '--project', 'web')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'MISSION  STATUS       PRIORITY  TITLE\nweb:12   In progress  normal    Dark mode now\n',
    })
  })

  test('are printed whole with --json, before or after the command', async () => {
    routes['GET /api/missions?limit=50'] = () => ({ missions: [mission] })
    for (const argv of [
      ['--json', 'missions', 'list'],
      ['missions', 'list', '--json'],
    ]) {
      const { stdout } = await svc(...argv)
      expect(JSON.parse(stdout)).toEqual({ missions: [mission] })
      expect(stdout).not.toContain('\u001b')
    }
  })

  test('are created with their objectives in order', async () => {
    routes['POST /api/missions'] = () => ({ mission, objectives: [objective] })
    const list = '[{"instruction":"third","assigned_agent":"codex"}]'
    const objectives = ['--objective', 'first', '--objective', 'second', '--objectives-json', list]
    await svc('missions', 'create', 'web', 'Dark mode', ...objectives, '--auto-advance')
    expect(calls[0]?.body).toEqual({
      projectId: 'web',
      title: 'Dark mode',
      objectives: [
        { instruction: 'first' },
        { instruction: 'second' },
        { instruction: 'third', assigned_agent: 'codex' },
      ],
      auto_advance: true,
    })
  })

  test.each(['in review', 'review', id('07')])('are moved to %s', async (status) => {
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [] })
    routes[`GET /api/projects/${mission.projectId}/statuses`] = () => ({ project: {}, statuses })
    routes['POST /api/missions/web%3A12/status'] = () => ({ mission })
    await svc('missions', 'move', 'web:12', status)
    expect(calls.at(-1)?.body).toEqual({ statusId: id('07') })
  })

  test('are closed together with what is queued in them', async () => {
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [] })
    routes[`GET /api/projects/${mission.projectId}/statuses`] = () => ({ project: {}, statuses })
    routes['POST /api/missions/web%3A12/status'] = () => ({ mission })
    await svc('missions', 'move', 'web:12', 'review', '--cancel-running')
    expect(calls.at(-1)?.body).toEqual({ statusId: id('07'), cancelRunning: true })
  })

  test('that are moved to what is no status name those there are', async () => {
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [] })
    routes[`GET /api/projects/${mission.projectId}/statuses`] = () => ({ project: {}, statuses })
    expect(await svc('missions', 'move', 'web:12', 'gone')).toMatchObject({
      code: 2,
      stderr: 'usage: This project has no status gone: use one of In progress, In review.\n',
    })
  })

  test('are watched: history first, each event once, until the phase is reached', async () => {
    const events = [event('11', 'execution_requested', 'Queued'), event('12', 'delivery', 'Done')]
    let reads = 0
    routes['GET /api/missions/web%3A12'] = () => {
      reads += 1
      return { mission: { ...mission, phase: reads < 2 ? 'execute' : 'review' }, objectives: [] }
    }
    routes['GET /api/missions/web%3A12/events'] = () => ({
      events: events.slice(0, reads).toReversed(),
    })
    const { code, stdout } = await svc('missions', 'watch', 'web:12', '--until', 'review', '--json')
    const shown = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    expect({ code, shown }).toEqual({ code: 0, shown: ['execution_requested', 'delivery'] })
  })
})

describe('objectives', () => {
  test('are edited in what is named, and an empty value clears', async () => {
    routes['PATCH /api/objectives/web%3A12.k7qd'] = () => ({ objective })
    await svc('objectives', 'edit', 'web:12.k7qd', '--title', 'New', '--model', '')
    expect(calls[0]?.body).toEqual({ title: 'New', model: null })
  })

  test('are shown with their instruction', async () => {
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
    const { stdout } = await svc('objectives', 'show', objective.id)
    expect(stdout).toContain('\n\nAdd a switch.\nTest it.\n')
  })
})

describe('launch', () => {
  const launched = { executionRequest: request, objective, reused: false, warnings: [] }

  test('sends what was chosen and says how to follow the run', async () => {
    routes['POST /api/objectives/web%3A12.k7qd/launch'] = () => ({
      ...launched,
      warnings: [{ code: 'agent_not_available', message: 'No runner has claude.' }],
    })
    const { code, stderr } = await svc(
      'launch',
      'web:12.k7qd',
      '--agent',
      'claude',
      '--effort',
      'high',
      '--from-base',
    )
    expect(calls[0]?.body).toEqual({ agent: 'claude', reasoningEffort: 'high', fromBase: true })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `warning: No runner has claude.\nFollow it: svc logs ${request.id} -f\n`,
    })
  })

  test.each([
    [{ status: 'launched', outcome: 'delivered' }, 0, ''],
    [
      { status: 'failed', failure: { code: 'x', message: 'claude is not installed' } },
      1,
      `not_delivered: The run ended without a delivery (claude is not installed): see svc logs ${request.id}, then launch it again.\n`,
    ],
  ])('with --watch ends as the run did: %j', async (end, code, stderr) => {
    routes['POST /api/objectives/web%3A12.k7qd/launch'] = () => launched
    routes[`GET /api/execution-requests/${request.id}`] = () => ({
      executionRequest: { ...request, ...end },
    })
    routes[`GET /api/missions/${mission.id}/events`] = () => ({
      events: [event('11', 'update', 'Hi')],
    })
    const answer = await svc('launch', 'web:12.k7qd', '--agent', 'claude', '--watch')
    expect(answer).toMatchObject({ code, stderr })
    expect(answer.stdout).toMatch(/update +Hi {2}alice\n$/)
  })
})

describe('a run that waits', () => {
  const detail = 'Resource web on laptop has uncommitted changes: commit or remove a.txt.'
  const lastRelease = { reason: 'checkout_busy', at, detail }
  const waiting = { ...request, objectiveId: objective.id, config: {}, lastRelease }

  test('says why with --watch, once', { timeout: 20_000 }, async () => {
    let reads = 0
    routes['POST /api/objectives/web%3A12.k7qd/launch'] = () => ({
      executionRequest: request,
      objective,
      reused: false,
      warnings: [],
    })
    routes[`GET /api/execution-requests/${request.id}`] = () => {
      reads += 1
      const end = reads > 2 ? { status: 'launched', outcome: 'delivered' } : {}
      return { executionRequest: { ...waiting, warnings: [], ...end } }
    }
    routes[`GET /api/missions/${mission.id}/events`] = () => ({ events: [] })
    const { code, stderr } = await svc('launch', 'web:12.k7qd', '--agent', 'claude', '--watch')
    expect({ code, stderr }).toEqual({ code: 0, stderr: `waiting: ${detail}\n` })
  })

  test('says why where its mission is shown', async () => {
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [objective] })
    routes['GET /api/execution-requests?limit=50&missionId=web%3A12'] = () => ({
      executionRequests: [waiting],
    })
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(stdout).toContain(`web:12.k7qd waits: ${detail}`)
  })

  test('says why where it is shown', async () => {
    routes[`GET /api/execution-requests/${request.id}`] = () => ({
      executionRequest: {
        ...waiting,
        warnings: ['Branch x is not in this branch.'],
        config: { model: { value: null }, reasoningEffort: { value: null } },
      },
    })
    const { stdout } = await svc('runs', 'show', request.id)
    expect(stdout).toContain(detail)
    expect(stdout).toContain('Branch x is not in this branch.')
  })
})

describe('a run', () => {
  const path = `/api/execution-requests/${request.id}`

  test('is found by the objective it was the latest of', async () => {
    routes['GET /api/execution-requests?limit=1&objectiveId=web%3A12.k7qd'] = () => ({
      executionRequests: [request],
    })
    routes[`GET ${path}/log?offset=0`] = () => Buffer.from('one\u001b[2J\ntwo')
    routes[`GET ${path}/log?offset=11`] = () => Buffer.from('').subarray(0, 0)
    expect(await svc('logs', 'web:12.k7qd', '-f')).toMatchObject({ code: 0, stdout: 'one\ntwo\n' })
  })

  test('is cancelled by the objective it was the latest of, and printed whole with --json', async () => {
    routes['GET /api/execution-requests?limit=1&objectiveId=web%3A12.k7qd'] = () => ({
      executionRequests: [request],
    })
    const answer = {
      executionRequest: { ...request, status: 'cancelled' },
      objective,
      alreadyFinished: false,
    }
    routes[`POST ${path}/cancel`] = () => answer

    const { stdout } = await svc('runs', 'cancel', 'web:12.k7qd', '--reason', 'a typo')
    expect(calls.at(-1)?.body).toEqual({ reason: 'a typo' })
    expect(stdout).toMatch(/state +cancelled/)
    const json = await svc('runs', 'cancel', 'web:12.k7qd', '--json')
    expect(JSON.parse(json.stdout)).toEqual(answer)
  })

  test('that was over before its cancel says so', async () => {
    routes[`GET ${path}`] = () => ({ executionRequest: request })
    routes[`POST ${path}/cancel`] = () => ({
      executionRequest: { ...request, status: 'launched', outcome: 'delivered' },
      objective: { ...objective, state: 'complete' },
      alreadyFinished: true,
    })
    const { code, stdout } = await svc('runs', 'cancel', request.id)
    expect(code).toBe(0)
    expect(stdout).toContain('delivered (it was over before)')
  })

  test('that never was says so', async () => {
    routes['GET /api/execution-requests?limit=1&objectiveId=web%3A12.k7qd'] = () => ({
      executionRequests: [],
    })
    const { code, stderr } = await svc('runs', 'show', 'web:12.k7qd')
    expect(code).toBe(4)
    expect(stderr).toContain('svc launch web:12.k7qd --agent <key>')
  })
})
