import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  calls,
  changes,
  event,
  id,
  listedRun,
  mission,
  objective,
  request,
  routes,
  serveMission,
  statuses,
  svc,
  useAnswers,
} from '../testing/answers.ts'

useAnswers()

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

  test('that are refused are refused with --json as the service did, in one line', async () => {
    const next = { operation: 'listMissions', params: {} }
    const error = {
      code: 'not_found',
      message: 'No\u009b mission.',
      details: { id: 'web:9' },
      next,
    }
    routes['GET /api/missions/web%3A9/overview'] = () => ({ error: { ...error, requestId: 'r-1' } })
    const { code, stdout, stderr } = await svc('missions', 'show', 'web:9', '--json')
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toMatch(/^\{.*\}\n$/)
    expect(stderr).not.toContain('\u009b')
    expect(JSON.parse(stderr)).toEqual({ error: { ...error, requestId: 'r-1' } })
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

  test('hear of an event of somebody else', async () => {
    routes['POST /api/missions/web%3A12/events'] = () => ({ event: { id: id('0a') } })
    const argv = ['missions', 'event', 'web:12', 'ci:failed', '2 tests fail']
    const { stdout } = await svc(...argv, '--data-json', '{"build":714}')
    expect(calls[0]?.body).toEqual({
      type: 'ci:failed',
      summary: '2 tests fail',
      data: { build: 714 },
    })
    expect(stdout).toBe(`written ${id('0a')}\n`)
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

  test('name what is not done where they are closed', async () => {
    const done = { ...objective, displayId: 'web:12.aaaa', state: 'complete' }
    const blank = { ...objective, displayId: 'web:12.bbbb', state: 'draft', instruction: ' ' }
    const complete = { id: id('08'), type: 'complete', label: 'Done' }
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [done, objective, blank] })
    routes[`GET /api/projects/${mission.projectId}/statuses`] = () => ({
      project: {},
      statuses: [...statuses, complete],
    })
    routes['POST /api/missions/web%3A12/status'] = () => ({
      mission: { ...mission, phase: 'complete', status: complete },
    })
    const { code, stderr } = await svc('missions', 'move', 'web:12', 'done')
    expect(code).toBe(0)
    expect(stderr).toContain('closed with objectives that are not done: web:12.k7qd.')
  })

  test.each([
    [['missions', 'move', 'web:12', 'review'], 'POST /api/missions/web%3A12/status'],
    [['missions', 'edit', 'web:12', '--title', 'x'], 'PATCH /api/missions/web%3A12'],
    [['objectives', 'edit', 'web:12.k7qd', '--title', 'x'], 'PATCH /api/objectives/web%3A12.k7qd'],
    [
      ['objectives', 'reorder', 'web:12', 'web:12.k7qd'],
      'PUT /api/missions/web%3A12/future-objectives',
    ],
  ])('and objectives are changed by %j as they were read, or not at all', async (argv, route) => {
    routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [] })
    routes[`GET /api/projects/${mission.projectId}/statuses`] = () => ({ project: {}, statuses })
    routes[route] = () => ({ mission, objectives: [], objective, warnings: [] })
    const { code } = await svc(...argv, '--expected-revision', '7')
    expect([code, calls.at(-1)?.body]).toEqual([
      0,
      expect.objectContaining({ expectedRevision: 7 }),
    ])
    calls.length = 0
    expect((await svc(...argv, '--expected-revision', 'x')).code).toBe(2)
    expect(calls).toEqual([])
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
    routes['GET /api/missions/web%3A12/feed'] = changes
    expect((await svc('missions', 'watch', 'web:12', '--until', 'review')).code).toBe(0)
    expect(seen).toEqual(['launching', 'executing', 'complete'])
  })

  test(
    'are watched: history first, each event once, until the phase is reached',
    { tags: 'large' },
    async () => {
      const events = [event('11', 'execution_requested', 'Queued'), event('12', 'delivery', 'Done')]
      let reads = 0
      routes['GET /api/missions/web%3A12'] = () => {
        reads += 1
        return { mission: { ...mission, phase: reads < 2 ? 'execute' : 'review' }, objectives: [] }
      }
      routes['GET /api/missions/web%3A12/events'] = () => ({
        events: events.slice(0, reads).toReversed(),
      })
      const { code, stdout } = await svc(
        'missions',
        'watch',
        'web:12',
        '--until',
        'review',
        '--json',
      )
      const shown = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type)
      expect({ code, shown }).toEqual({ code: 0, shown: ['execution_requested', 'delivery'] })
    },
  )
})

describe('objectives', () => {
  test.each([
    ['codex', 'svc launch web:12.k7qd\n'],
    [null, 'svc launch web:12.k7qd --agent <key>\n'],
  ])('that are ready, with the agent %s, say how they are launched', async (agent, command) => {
    routes['POST /api/objectives/web%3A12.k7qd/submit'] = () => ({
      objective: { ...objective, assigned_agent: agent },
    })
    const { stderr } = await svc('objectives', 'submit', 'web:12.k7qd')
    expect(stderr).toBe(`Launch it: ${command}`)
  })

  test('are edited in what is named, and an empty value clears', async () => {
    routes['PATCH /api/objectives/web%3A12.k7qd'] = () => ({ objective })
    await svc('objectives', 'edit', 'web:12.k7qd', '--title', 'New', '--model', '')
    expect(calls[0]?.body).toEqual({ title: 'New', model: null })
  })

  test('are moved to another resource of the project, by its key, and to none that is mistyped', async () => {
    routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective })
    routes['GET /api/projects/web/resources'] = () => ({ resources: [{ resourceKey: 'api' }] })
    routes['PATCH /api/objectives/web%3A12.k7qd'] = () => ({ objective })
    const edit = (key: string) => svc('objectives', 'edit', 'web:12.k7qd', '--resource', key)
    expect(await edit('apl')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('web has no resource apl: use one of api'),
    })
    expect(calls.map(({ body }) => body).filter(Boolean)).toEqual([])
    expect((await edit('api')).code).toBe(0)
    expect((await edit('')).code).toBe(0)
    expect(calls.map(({ body }) => body).filter(Boolean)).toEqual([
      { resource_key: 'api' },
      { resource_key: null },
    ])
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

describe('a run that is on its way', () => {
  const progress = { percent: 40, note: 'running tests' }
  const running = {
    ...listedRun,
    objectiveId: objective.id,
    outcome: 'running',
    progress,
    config: {},
  }

  test.each([
    [['--state', 'delivered,launched'], 'states=delivered%2Claunched'],
    [['--project', 'web,api'], 'projectId=web%2Capi'],
    [['--runner', 'laptop', '--project', 'web'], `projectId=web&runnerId=${id('31')}`],
  ])('is listed with %j', async (options, query) => {
    routes['GET /api/runners'] = () => ({ runners: [{ id: id('31'), label: 'laptop' }] })
    routes[`GET /api/execution-requests?limit=50&${query}`] = () => ({ executionRequests: [] })
    expect((await svc('runs', 'list', ...options)).code).toBe(0)
  })

  test('is listed with what else is live, and with how much of it there is', async () => {
    const live = 'queued%2Cclaimed%2Claunching%2Crunning%2Cparked'
    // a day may begin before the command looks at the clock
    for (const hours of [0, 24]) {
      const midnight = new Date(new Date().setHours(hours, 0, 0, 0)).toISOString()
      const query = `limit=50&states=${live}&countSince=${encodeURIComponent(midnight)}`
      routes[`GET /api/execution-requests?${query}`] = () => ({
        executionRequests: [running],
        counts: { queued: 1_000, running: 1, delivered: 11 },
      })
    }
    const { stdout } = await svc('runs', 'list', '--live')
    expect(stdout).toContain('\n\n1 running, 1000 or more queued; 11 delivered today.\n')
  })

  test('is not listed by a runner that nobody knows, or by two words for its state', async () => {
    routes['GET /api/runners'] = () => ({ runners: [] })
    const unknown = await svc('runs', 'list', '--runner', 'attic')
    expect(unknown).toMatchObject({ code: 4 })
    expect(unknown.stderr).toContain('No runner is called attic: see svc runner list.')
    expect(await svc('runs', 'list', '--live', '--state', 'failed')).toMatchObject({ code: 2 })
  })

  test('says how far it has come where its mission is shown and where runs are listed', async () => {
    serveMission({ objectives: [objective], runs: [running] })
    routes['GET /api/execution-requests?limit=50'] = () => ({ executionRequests: [running] })
    routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [objective] })
    for (const command of [
      ['missions', 'show', 'web:12'],
      ['runs', 'list'],
    ]) {
      const { stdout } = await svc(...command)
      expect(stdout).toContain('40 %, running tests')
      expect(stdout).toContain('web:12.k7qd')
    }
  })
})

test('a report and rationales that are not JSON go as they are', async () => {
  routes['POST /api/protocol/deliver'] = () => ({ warnings: [] })
  const said = ['--session-key', 's', '--summary', 'Done.', '--change-rationales-json', '[{']
  expect((await svc('protocol', 'deliver', ...said, '--report-json', 'All fine')).code).toBe(0)
  expect(calls.at(-1)?.body).toMatchObject({ changeRationales: '[{', report: 'All fine' })
})

test.each(['deliver', 'record-work'])('%s sends a report as its file has it', async (operation) => {
  routes[`POST /api/protocol/${operation}`] = () => ({ warnings: [] })
  const file = join(mkdtempSync(join(tmpdir(), 'svc-report-')), 'report.json')
  const report = { humanActions: ['Rotate the key'], notes: 1 }
  writeFileSync(file, JSON.stringify(report))
  const said = ['--session-key', 's', '--summary', 'Done.', '--report-file', file]
  expect((await svc('protocol', operation, ...said)).code).toBe(0)
  expect(calls.at(-1)?.body).toMatchObject({ report })
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

  test('is shown as text of its agent, and as it came with --raw', async () => {
    const path = `/api/execution-requests/${request.id}`
    const event = JSON.stringify({ type: 'result', is_error: true, result: 'Not logged in' })
    routes[`GET ${path}`] = () => ({ executionRequest: request })
    routes[`GET ${path}/log?offset=0`] = () => Buffer.from(`hello\n${event}\n`)
    routes[`GET ${path}/log?offset=${event.length + 7}`] = () => Buffer.alloc(0)
    expect((await svc('logs', request.id)).stdout).toBe('hello\nerror: Not logged in\n')
    expect((await svc('logs', request.id, '--raw')).stdout).toBe(`hello\n${event}\n`)
  })

  test('has a log that is read at its end, or from a byte, and by programs', async () => {
    routes[`GET ${path}`] = () => ({ executionRequest: request })
    routes[`GET ${path}/log?tail=1048576`] = () => Buffer.from('one\ntwo\nthree\n')
    routes[`GET ${path}/log?offset=14`] = () => Buffer.alloc(0)
    expect((await svc('logs', request.id, '-n', '2')).stdout).toBe('two\nthree\n')
    routes[`GET ${path}/log?offset=4`] = () => Buffer.from('two\n')
    expect((await svc('logs', request.id, '--from', '4')).stdout).toBe('two\n')
    const { stdout } = await svc('logs', request.id, '--from', '4', '--json')
    expect(JSON.parse(stdout)).toEqual({
      log: { offset: 4, skipped: 0, nextOffset: 4, length: 4, ended: true, text: 'two\n' },
    })
    expect(await svc('logs', request.id, '-n', 'all')).toMatchObject({ code: 2 })
  })

  test('has changes that are shown as a patch, by names, and one by one', async () => {
    const changes = { report: 'r', files: 2, truncated: true, dirty: false }
    const file = (position: number, filePath: string) => ({
      position,
      filePath,
      additions: 1,
      deletions: 0,
    })
    const [a, b] = [file(0, 'a.ts'), file(1, 'b.ts')]
    const patch = '--- a/b.ts\n+++ b/b.ts\n'
    routes[`GET ${path}`] = () => ({ executionRequest: request })
    routes[`GET ${path}/files?limit=200&patches=true`] = () => ({
      changes,
      files: [a],
      nextCursor: '0',
    })
    routes[`GET ${path}/files?limit=200&cursor=0&patches=true`] = () => ({
      changes,
      files: [{ ...b, patch }],
    })
    routes[`GET ${path}/files?limit=200&patches=false`] = () => ({ changes, files: [a, b] })
    routes[`GET ${path}/files/1`] = () => ({ changes, file: { ...b, patch } })
    const whole = await svc('runs', 'diff', request.id)
    expect(whole).toMatchObject({ code: 0, stdout: patch })
    expect(whole.stderr).toContain('Not all of it is kept')
    expect((await svc('runs', 'diff', request.id, '--stat')).stdout).toMatch(/a\.ts[^]*b\.ts/)
    expect((await svc('runs', 'diff', request.id, '--file', 'b.ts')).stdout).toBe(patch)
    expect(await svc('runs', 'diff', request.id, '--file', 'c.ts')).toMatchObject({ code: 2 })
    expect(JSON.parse((await svc('runs', 'diff', request.id, '--json')).stdout)).toEqual({
      changes,
      files: [a, { ...b, patch }],
    })
  })

  test.each([['cancel'], ['runs', 'cancel']])(
    'is cancelled by its objective, and printed whole with --json: svc %s',
    async (...command) => {
      const answer = {
        executionRequest: { ...request, status: 'cancelled' },
        objective,
        alreadyFinished: false,
        pausesQueue: null,
      }
      routes['POST /api/objectives/web%3A12.k7qd/cancel'] = () => answer

      const { stdout } = await svc(...command, 'web:12.k7qd', '--reason', 'a typo')
      expect(calls.at(-1)?.body).toEqual({ reason: 'a typo' })
      expect(stdout).toMatch(/state +cancelled/)
      const json = await svc(...command, 'web:12.k7qd', '--json')
      expect(JSON.parse(json.stdout)).toEqual(answer)
    },
  )

  test('that runs is told to end by its cancel, and its command says how to see the end', async () => {
    const cancelRequestedAt = '2026-11-01T00:00:00.000Z'
    const run = { ...request, status: 'launched', outcome: 'running', endedAt: null }
    routes[`POST ${path}/cancel`] = () => ({
      executionRequest: { ...run, cancelRequestedAt },
      objective,
      alreadyFinished: false,
      pausesQueue: { id: id('24'), name: 'Night' },
    })
    const { stdout, stderr } = await svc('cancel', request.id)
    expect(stderr).toContain('once it is over, see how it goes on: svc queue list web')
    expect(stdout).toContain('running, being cancelled')
    expect(stderr).toContain(`svc runs show ${request.id}`)
  })

  test('that a queue launched pauses it by its cancel, and its command says how the queue goes on', async () => {
    routes['POST /api/objectives/web%3A12.k7qd/cancel'] = () => ({
      executionRequest: { ...request, status: 'cancelled' },
      objective,
      alreadyFinished: false,
      pausesQueue: { id: id('24'), name: "Bob's night" },
    })
    const waiting = { state: 'waiting', reason: 'turn', turnGrantedBy: null }
    const paused = { id: id('24'), name: "Bob's night", state: 'paused', advanceOwedSince: null }
    routes['GET /api/projects/web/run-queues'] = () => ({
      queues: [{ ...paused, entries: [waiting] }],
    })
    const { stderr } = await svc('cancel', 'web:12.k7qd')
    expect(stderr).toContain("The queue Bob's night, which launched it, is paused by its end")
    expect(stderr).not.toContain('once it is over')
    expect(stderr).toContain(String.raw`svc queue start web 'Bob'\''s night'`)
  })

  test('of an agent that nobody launched is cancelled by the objective', async () => {
    routes['POST /api/objectives/web%3A12.k7qd/cancel'] = () => ({
      executionRequest: null,
      objective,
      alreadyFinished: false,
      pausesQueue: null,
    })
    expect((await svc('cancel', 'web:12.k7qd')).stdout).toContain('no run')
  })

  test('that was over before its cancel says so', async () => {
    routes[`POST ${path}/cancel`] = () => ({
      executionRequest: { ...request, status: 'launched', outcome: 'delivered' },
      objective: { ...objective, state: 'complete' },
      alreadyFinished: true,
      pausesQueue: null,
    })
    const { code, stdout } = await svc('runs', 'cancel', request.id)
    expect(code).toBe(0)
    expect(stdout).toContain('delivered (there was nothing left to cancel)')
  })

  test.each(['web:', 'last'])('is not named by %s', async (ref) => {
    const { code, stderr } = await svc('runs', 'show', ref)
    expect(code).toBe(2)
    expect(stderr).toContain(`${ref} names no run: give its UUID`)
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

test('tokens are listed whole, page after page', async () => {
  const token = (last: string) => ({
    id: id(last),
    label: `token ${last}`,
    preset: 'runner',
    revokedAt: null,
    expiresAt: '2026-11-01T12:00:00.000Z',
    lastUsedAt: null,
  })
  routes['GET /api/user-tokens?limit=200'] = () => ({
    userTokens: [token('02')],
    nextCursor: id('02'),
  })
  routes[`GET /api/user-tokens?limit=200&cursor=${id('02')}`] = () => ({
    userTokens: [token('01')],
  })
  const { stdout } = await svc('tokens', 'list', '--json')
  expect(JSON.parse(stdout)).toEqual({ userTokens: [token('02'), token('01')] })
})
