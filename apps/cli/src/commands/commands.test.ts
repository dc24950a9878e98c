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
  lastOutcome: null,
  assigned_agent: null,
}
const request = {
  id: id('05'),
  missionId: mission.id,
  objectiveId: objective.id,
  status: 'queued',
  outcome: null,
  agent: 'claude',
  source: 'cli',
  resourceKey: null,
  failure: null,
  exit: null,
  warnings: [],
  createdAt: at,
}
const statuses = [
  { id: id('06'), type: 'execute', label: 'In progress' },
  { id: id('07'), type: 'review', label: 'In review' },
]
const event = (last: string, type: string, summary: string) => ({
  id: id(last),
  objectiveId: objective.id,
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

  test('that are moved to what is no status name those there are', async () => {
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [] })
    routes[`GET /api/projects/${mission.projectId}/statuses`] = () => ({ project: {}, statuses })
    expect(await svc('missions', 'move', 'web:12', 'gone')).toMatchObject({
      code: 2,
      stderr: 'usage: This project has no status gone: use one of In progress, In review.\n',
    })
  })

  test('are not watched to their end between two objectives', async () => {
    const states = ['launching', 'executing', 'complete']
    const seen: string[] = []
    routes['GET /api/missions/web%3A12'] = () => {
      const state = states.shift()
      seen.push(`${state}`)
      return { mission: { ...mission, phase: 'review' }, objectives: [{ ...objective, state }] }
    }
    routes['GET /api/missions/web%3A12/events'] = () => ({ events: [] })
    expect((await svc('missions', 'watch', 'web:12', '--until', 'review')).code).toBe(0)
    expect(seen).toEqual(['launching', 'executing', 'complete'])
  }, 20_000)

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
    routes[`GET /api/execution-requests?limit=1&objectiveId=${objective.id}`] = () => ({
      executionRequests: [],
    })
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

  test('goes without --agent where the objective names one', async () => {
    const named = { ...objective, assigned_agent: 'codex' }
    routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective: named })
    routes['POST /api/objectives/web%3A12.k7qd/launch'] = () => launched
    expect((await svc('launch', 'web:12.k7qd')).code).toBe(0)
    expect(calls.at(-1)?.body).toEqual({ agent: 'codex' })
  })

  test('needs --agent where the objective names none', async () => {
    routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective })
    expect(await svc('launch', 'web:12.k7qd')).toMatchObject({
      code: 2,
      stderr: 'usage: web:12.k7qd names no agent: say which with --agent <key>.\n',
    })
  })

  test.each([
    [{ status: 'launched', outcome: 'delivered' }, 0, ''],
    [
      { status: 'failed', failure: { code: 'x', message: 'claude is not installed' } },
      1,
      `not_delivered: The run of web:12.k7qd ended without a delivery (x: claude is not installed): see svc logs ${request.id}, then launch it again: svc launch web:12.k7qd --agent claude\n`,
    ],
  ])('with --watch ends as the run did: %j', async (end, code, stderr) => {
    routes['POST /api/objectives/web%3A12.k7qd/launch'] = () => launched
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
    routes[`GET /api/execution-requests?limit=50&missionId=${mission.id}`] = () => ({
      executionRequests: [],
    })
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

  test('with --watch shows this run alone, and goes on with the one that its delivery launched', async () => {
    const second = { ...request, id: id('15'), objectiveId: id('16'), source: 'auto_advance' }
    const next = { ...second, createdAt: '2026-01-02T04:00:00.000Z' }
    const delivered = { status: 'launched', outcome: 'delivered' }
    routes['POST /api/objectives/web%3A12.k7qd/launch'] = () => launched
    for (const run of [request, next])
      routes[`GET /api/execution-requests/${run.id}`] = () => ({
        executionRequest: { ...run, ...delivered },
      })
    routes[`GET /api/execution-requests?limit=50&missionId=${mission.id}`] = () => ({
      executionRequests: [next, request],
    })
    routes[`GET /api/missions/${mission.id}/events`] = () => ({
      events: [
        { ...event('21', 'delivery', 'Second'), objectiveId: id('16'), createdAt: next.createdAt },
        { ...event('22', 'update', 'Of another'), objectiveId: id('17') },
        event('23', 'delivery', 'First'),
        { ...event('24', 'run_ended', 'Before'), createdAt: '2026-01-01T00:00:00.000Z' },
      ],
    })
    const answer = await svc('launch', 'web:12.k7qd', '--agent', 'claude', '--watch')
    expect(answer).toMatchObject({ code: 0, stderr: '' })
    const shown = answer.stdout
      .split('\n')
      .flatMap((line) => /delivery +(\w+)/.exec(line)?.[1] ?? [])
    expect(shown).toEqual(['First', 'Second'])
    expect(answer.stdout).not.toMatch(/Before|Of another/)
  })
})

describe('how the last run ended', () => {
  const failure = { code: 'agent_not_found', message: 'claude is not installed.', phase: 'spawn' }
  const exit = { cause: 'agent', exitCode: 3, signal: null, lastOutput: '' }
  const config = { model: { value: null }, reasoningEffort: { value: null } }
  const ends = [
    [{ status: 'failed', failure }, 'failed', 'agent_not_found: claude is not installed.'],
    [{ status: 'launched', outcome: 'exited', exit }, 'exited', 'exit code 3'],
    [
      { status: 'launched', outcome: 'exited', exit: { ...exit, cause: 'host_rebooted' } },
      'exited',
      'its machine was started anew, exit code 3',
    ],
    [
      { status: 'launched', outcome: 'lost' },
      'lost',
      'nothing was heard of the agent for too long',
    ],
  ] as const
  const again = 'svc launch web:12.k7qd --agent claude --resource web'

  test.each(ends)('stands with its reason and the next command: %j', async (end, word, why) => {
    const run = { ...request, resourceKey: 'web', config, ...end }
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [objective] })
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
    routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective })
    routes[`GET /api/execution-requests/${run.id}`] = () => ({ executionRequest: run })
    for (const query of ['limit=50&missionId=web%3A12', 'limit=1&objectiveId=web%3A12.k7qd'])
      routes[`GET /api/execution-requests?${query}`] = () => ({ executionRequests: [run] })

    const shown = await svc('missions', 'show', 'web:12')
    expect(shown.stdout).toContain(`submitted  ${word}`)
    expect(shown.stdout).toContain(`web:12.k7qd ${word}: ${why}\nLaunch it again: ${again}\n`)
    for (const argv of [
      ['objectives', 'show', 'web:12.k7qd'],
      ['runs', 'show', run.id],
    ]) {
      const { stdout } = await svc(...argv)
      expect(stdout).toMatch(new RegExp(`(last run|state) +${word}\n`))
      expect(stdout).toContain(why)
      expect(stdout).toMatch(new RegExp(`launch again +${again}\n`))
    }
  })

  test('is a delivery where the objective is complete', async () => {
    const complete = { ...objective, state: 'complete' }
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [complete] })
    routes['GET /api/execution-requests?limit=50&missionId=web%3A12'] = () => ({
      executionRequests: [{ ...request, status: 'launched', outcome: 'delivered' }],
    })
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(stdout).toContain('complete  delivered')
    expect(stdout).not.toContain('Launch it again')
  })
})

describe('a run that waits', () => {
  const detail = 'Resource web on laptop has uncommitted changes: commit or remove a.txt.'
  const lastRelease = { reason: 'checkout_busy', at, detail }
  const waiting = { ...request, config: {}, lastRelease }

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
    routes[`GET /api/execution-requests?limit=50&missionId=${mission.id}`] = () => ({
      executionRequests: [],
    })
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
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
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

  test('that never was says so', async () => {
    routes['GET /api/execution-requests?limit=1&objectiveId=web%3A12.k7qd'] = () => ({
      executionRequests: [],
    })
    const { code, stderr } = await svc('runs', 'show', 'web:12.k7qd')
    expect(code).toBe(4)
    expect(stderr).toContain('svc launch web:12.k7qd --agent <key>')
  })
})
