import { describe, expect, test } from 'vitest'
import {
  at,
  changes,
  event,
  id,
  mission,
  objective,
  request,
  routes,
  serveMission,
  svc,
  useAnswers,
} from '../testing/answers.ts'

useAnswers()

describe('how the last run ended', () => {
  const failure = { code: 'agent_not_found', message: 'claude is not installed.', phase: 'spawn' }
  const exit = { cause: 'agent', exitCode: 3, signal: null, lastOutput: '' }
  const config = { model: { value: null }, reasoningEffort: { value: null } }
  const notLinked = {
    ...failure,
    message: 'Resource web is not linked there.',
    next: { operation: 'connectResource', params: { resourceKey: 'web' } },
  }
  const ends = [
    [
      { status: 'failed', failure: notLinked },
      'failed',
      'Resource web is not linked there. On that machine: svc resource link <project> <path> --key web && svc runner start',
    ],
    [{ status: 'failed', failure }, 'failed', 'agent_not_found: claude is not installed.'],
    [{ status: 'launched', outcome: 'exited', exit }, 'exited', 'exit code 3'],
    [
      { status: 'launched', outcome: 'exited', exit: { ...exit, cause: 'host_rebooted' } },
      'exited',
      'its machine was started anew, exit code 3',
    ],
    [
      { status: 'launched', outcome: 'cancelled', exit: { ...exit, exitCode: 0 } },
      'cancelled',
      'cancelled; its agent then ended by itself',
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
    serveMission({ objectives: [objective], runs: [run] })
    routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [objective] })
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
    routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective })
    routes[`GET /api/execution-requests/${run.id}`] = () => ({ executionRequest: run })
    routes['GET /api/execution-requests?limit=1&objectiveId=web%3A12.k7qd'] = () => ({
      executionRequests: [run],
    })
    routes[`GET /api/missions/${mission.id}/events?limit=200`] = () => ({ events: [] })

    const shown = await svc('missions', 'show', 'web:12')
    expect(shown.stdout).toContain(`submitted  ${word}`)
    expect(shown.stdout).toMatch(new RegExp(`^web:12.k7qd +${word} `, 'm'))
    expect(shown.stdout).toContain(why)
    expect(shown.stdout).toMatch(
      new RegExp(`\nweb:12.k7qd: its last run: ${word}(: .+)?\n  ${again}\n`),
    )
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

  test('keeps the runner that was chosen for it in the command that launches it again', async () => {
    const end = { status: 'failed', failure, onlyRunner: 'box' }
    const run = { ...request, resourceKey: 'web', config, ...end }
    serveMission({ objectives: [objective], runs: [run] })
    routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [objective] })
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
    routes[`GET /api/execution-requests/${run.id}`] = () => ({ executionRequest: run })
    for (const argv of [
      ['missions', 'show', 'web:12'],
      ['runs', 'show', run.id],
    ]) {
      expect((await svc(...argv)).stdout).toContain(`${again} --runner box\n`)
    }
  })

  test('says what its agent used, where that has said it', async () => {
    const usage = { inputTokens: 1_234_567, usd: '0.3' }
    const run = { ...request, config, status: 'launched', outcome: 'delivered', exit, usage }
    serveMission({ objectives: [objective], runs: [run] })
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
    routes[`GET /api/execution-requests/${run.id}`] = () => ({ executionRequest: run })
    const { stdout } = await svc('runs', 'show', run.id)
    expect(stdout).toMatch(/^used +1,234,567 tokens in, 0.3 USD$/m)
  })

  test('comes with the command that goes on with it where it was lost or ended by itself', async () => {
    const stopped = { ...objective, missionId: mission.id, lastOutcome: 'lost' }
    const run = { ...request, config, status: 'launched', outcome: 'lost' }
    serveMission({ objectives: [stopped], runs: [run] })
    routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [stopped] })
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective: stopped })
    routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective: stopped })
    routes[`GET /api/execution-requests/${run.id}`] = () => ({ executionRequest: run })
    routes['GET /api/execution-requests?limit=1&objectiveId=web%3A12.k7qd'] = () => ({
      executionRequests: [run],
    })
    routes['POST /api/objectives/web%3A12.k7qd/resume'] = () => ({
      executionRequest: { ...request, kind: 'resume' },
      objective: { ...stopped, state: 'launching' },
      reused: false,
      warnings: [
        {
          code: 'left_queue',
          message: 'It has left the queue Night shift, which is paused.',
          next: {
            operation: 'queueObjective',
            params: { objectiveId: 'web:12.k7qd', queue: 'Night shift' },
          },
        },
      ],
    })

    const onwards = 'svc resume web:12.k7qd'
    expect((await svc('missions', 'show', 'web:12')).stdout).toContain(
      `its last run: lost; go on with it\n  ${onwards}\nor begin it anew\n  svc launch`,
    )
    expect((await svc('runs', 'show', run.id)).stdout).toContain(`go on         ${onwards}\n`)
    const { stdout, stderr } = await svc(...onwards.split(' ').slice(1))
    expect(stdout).toContain(request.id)
    expect(stderr).toContain("put it back with: svc queue add web:12.k7qd --queue 'Night shift'\n")
  })

  test.each([
    ['begun', { kind: 'resume', status: 'cancelled' }, 'cancelled', true],
    ['begun, as it failed', { kind: 'resume', status: 'failed' }, 'exited', true],
    ['asked for', { kind: 'launch', status: 'launched', outcome: 'exited' }, 'lost', false],
    ['of use', { status: 'launched', outcome: 'lost', workedOnSince: true }, 'lost', false],
  ])(
    'that was gone on with, which was never %s, may be so again',
    async (_, of, lastOutcome, may) => {
      const stopped = { ...objective, lastOutcome }
      serveMission({ objectives: [stopped], runs: [{ ...request, config, ...of }] })
      const { stdout } = await svc('missions', 'show', 'web:12')
      expect(stdout.includes('svc resume web:12.k7qd')).toBe(may)
    },
  )

  test('is shown without an objective where that was deleted', async () => {
    const run = { ...request, config, status: 'launched', outcome: 'lost' }
    routes[`GET /api/execution-requests/${run.id}`] = () => ({ executionRequest: run })
    const { code, stdout } = await svc('runs', 'show', run.id)
    expect(code).toBe(0)
    expect(stdout).toMatch(/objective +deleted\n/)
    expect(stdout).not.toContain('svc ')
  })

  test('comes with no command to launch it again where the mission is closed', async () => {
    const closed = { mission: { ...mission, phase: 'cancelled' }, objectives: [objective] }
    const run = { ...request, config, status: 'cancelled' }
    serveMission({ ...closed, runs: [run] })
    routes[`GET /api/missions/${mission.id}/events?limit=200`] = () => ({ events: [] })
    routes[`GET /api/missions/${mission.id}`] = () => closed
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
    routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective })
    routes[`GET /api/execution-requests/${run.id}`] = () => ({ executionRequest: run })
    routes['GET /api/execution-requests?limit=1&objectiveId=web%3A12.k7qd'] = () => ({
      executionRequests: [run],
    })

    for (const argv of [
      ['missions', 'show', 'web:12'],
      ['objectives', 'show', 'web:12.k7qd'],
      ['runs', 'show', run.id],
    ]) {
      const { stdout } = await svc(...argv)
      expect(stdout).toContain('it was called off')
      expect(stdout).not.toContain('svc launch')
    }
  })

  test.each([
    ['execution_cancelled', {}, 'Cancelled: too slow (by alice)'],
    ['run_ended', { outcome: 'cancelled' }, 'Cancelled: too slow (by alice)'],
    ['run_ended', { outcome: 'parked' }, 'it was called off, or somebody else took'],
  ])('is named by the history where it was called off: %s %j', async (type, data, why) => {
    const run = { ...request, config, status: 'cancelled' }
    routes[`GET /api/execution-requests/${run.id}`] = () => ({ executionRequest: run })
    routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
    routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [objective] })
    routes[`GET /api/missions/${mission.id}/events?limit=200`] = () => ({
      events: [
        {
          ...event('94', type, 'Cancelled: too slow'),
          actor: { name: 'alice', role: 'person' },
          data: { ...data, executionRequestId: run.id },
        },
      ],
    })
    expect((await svc('runs', 'show', run.id)).stdout).toContain(why)
  })

  test('is a delivery where the objective is complete', async () => {
    const complete = { ...objective, state: 'complete' }
    const delivered = { ...request, status: 'launched', outcome: 'delivered' }
    serveMission({ objectives: [complete], runs: [delivered] })
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(stdout).toContain('complete  delivered')
    expect(stdout).not.toContain('svc launch')
  })
})

test('a run that is queued for an agent of no runner says so where it is shown', async () => {
  const config = { model: { value: null }, reasoningEffort: { value: null } }
  serveMission({ agents: ['scripted'] })
  routes[`GET /api/execution-requests/${request.id}`] = () => ({
    executionRequest: { ...request, config },
  })
  routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
  expect((await svc('runs', 'show', request.id)).stdout).toMatch(/waiting +no runner offers claude/)
})

test.for([
  ['attic', 'the runner attic is away'],
  ['nowhere', 'no runner is called nowhere'],
  ['box', 'the runner box does not offer claude'],
] as const)('a run that waits for the runner %s says why', async ([onlyRunner, why]) => {
  const waiting = { ...request, onlyRunner }
  const active = { ...objective, state: 'launching' }
  serveMission({ objectives: [active], runs: [waiting], agents: ['scripted'] })
  const config = { model: { value: null }, reasoningEffort: { value: null } }
  routes[`GET /api/execution-requests/${request.id}`] = () => ({
    executionRequest: { ...waiting, config },
  })
  routes[`GET /api/objectives/${objective.id}`] = () => ({ objective: active })
  expect((await svc('runs', 'show', request.id)).stdout).toContain(why)
  expect((await svc('missions', 'show', 'web:12')).stdout).toContain(why)
})

test('a run that waits for a runner that is away is launched elsewhere with one command', async () => {
  const active = { ...objective, state: 'launching' }
  const waiting = { ...request, onlyRunner: 'attic' }
  serveMission({ objectives: [active], runs: [waiting], agents: ['claude'] })
  const { stdout } = await svc('missions', 'show', 'web:12')
  expect(stdout).toContain(`svc launch ${objective.displayId} --agent claude\n`)
})

describe('an objective that awaits approval', () => {
  test('is shown with the command that approves it, and with why it was not launched by itself', async () => {
    const waiting = {
      ...objective,
      id: id('08'),
      displayId: 'web:12.m2ab',
      state: 'awaiting_approval',
    }
    const refused = { code: 'no_agent', message: 'No agent is named.' }
    const delivered = { ...request, status: 'launched', outcome: 'delivered' }
    const show = async (changes: object) => {
      const objectives = [
        { ...objective, state: 'complete' },
        { ...waiting, ...changes },
      ]
      serveMission({ objectives, runs: [delivered] })
      return (await svc('missions', 'show', 'web:12')).stdout
    }
    expect(await show({ approvalRefusal: null })).toContain(
      'web:12.m2ab waits for your approval\n  svc launch web:12.m2ab --agent claude\n',
    )
    expect(await show({ approvalRefusal: refused, assigned_agent: 'codex' })).toContain(
      'web:12.m2ab waits for your approval: No agent is named.\n  svc launch web:12.m2ab\n',
    )
  })
})

describe('a run that waits', () => {
  const detail = 'Resource web on laptop has uncommitted changes: commit or stash a.txt.'
  const lastRelease = { reason: 'checkout_busy', at, detail }
  const waiting = { ...request, config: {}, lastRelease }

  test('says why with --watch, once', async () => {
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
    routes[`GET /api/missions/${mission.id}/feed`] = changes
    routes[`GET /api/execution-requests?limit=50&missionId=${mission.id}`] = () => ({
      executionRequests: [],
    })
    const { code, stderr } = await svc('launch', 'web:12.k7qd', '--agent', 'claude', '--watch')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `waiting: ${detail}\nSee what to do now: svc missions show web:12\n`,
    })
  })

  test('says why where its mission is shown', async () => {
    serveMission({ objectives: [{ ...objective, state: 'launching' }], runs: [waiting] })
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(stdout).toContain(detail)
  })

  test('says where to see what it waits for', async () => {
    const next = { operation: 'getExecutionRequest', params: { id: request.id } }
    const released = { ...waiting, lastRelease: { ...lastRelease, next } }
    serveMission({ objectives: [{ ...objective, state: 'launching' }], runs: [released] })
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(stdout).toContain(`${detail}\n  svc runs show ${request.id}\n`)
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
    routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective })
    routes['GET /api/execution-requests?limit=1&objectiveId=web%3A12.k7qd'] = () => ({
      executionRequests: [waiting],
    })
    expect((await svc('objectives', 'show', 'web:12.k7qd')).stdout).toContain(detail)
    const { stdout } = await svc('runs', 'show', request.id)
    expect(stdout).toContain(detail)
    expect(stdout).toContain('Branch x is not in this branch.')
  })
})
