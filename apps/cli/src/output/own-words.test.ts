import { describe, expect, test } from 'vitest'
import { id, mission, objective, request, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const refusal = (path: string) => () => ({
  error: {
    code: 'validation_failed',
    message: `Correct the request: ${path}: it is not right.`,
    details: { fields: [{ path, message: 'it is not right' }] },
    requestId: 'r',
  },
})

const none = {
  preCommand: null,
  preLaunchCommands: [],
  launchEnvVars: {},
  agents: {},
  pushBranches: false,
  allowedCommands: ['npm test'],
  checks: {},
  revision: 1,
}

describe('what was given wrongly', () => {
  test.each([
    [
      'missionId',
      ['runs', 'list', '--mission', 'x'],
      'GET /api/execution-requests?limit=50&missionId=x',
      '--mission',
    ],
    [
      'permissions.0',
      ['tokens', 'create', 'x', '--permission', 'mission:read'],
      'POST /api/user-tokens',
      '--permission',
    ],
    [
      'allowedCommands.1',
      ['projects', 'launch-settings', 'set', 'web', '--allow-command', 'npm *'],
      'PATCH /api/projects/web/launch-settings',
      '--allow-command',
    ],
    [
      'launchEnvVars.a-b',
      ['projects', 'launch-settings', 'set', 'web', '--env', 'a-b=1'],
      'PATCH /api/projects/web/launch-settings',
      '--env',
    ],
    ['id', ['missions', 'state', 'list', 'x'], 'GET /api/missions/x/shared-state', '<mission>'],
  ])('as %s is named as it was typed', async (path, argv, route, typed) => {
    routes['GET /api/projects/web/launch-settings'] = () => ({ launchSettings: none })
    routes[route] = refusal(path)
    const { code, stderr } = await svc(...argv)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `validation_failed: Correct ${typed}: it is not right.\n`,
    })
  })

  test('is given to a program as the service has it', async () => {
    routes['GET /api/missions/x/shared-state'] = refusal('id')
    const { stderr } = await svc('missions', 'state', 'list', 'x', '--json')
    expect(JSON.parse(stderr)).toMatchObject({ error: { details: { fields: [{ path: 'id' }] } } })
  })
})

test('a token for nothing is refused by the options that say for what', async () => {
  const { code, stderr } = await svc('tokens', 'create', 'laptop')
  expect(code).toBe(2)
  expect(stderr).toMatch(/^usage: Say what it may do: --preset \(full, .*\), or --permission/)
})

test('an agent that nobody has is launched, and the one that was likely meant is offered', async () => {
  routes[`POST /api/objectives/web%3A12.k7qd/launch`] = () => ({
    executionRequest: { ...request, agent: 'ninja' },
    objective,
    reused: false,
    warnings: [
      { code: 'agent_not_available', message: 'No connected runner has the agent ninja.' },
    ],
  })
  routes['GET /api/runners'] = () => ({
    runners: [{ state: 'connected', agents: ['claude', 'nina'] }],
  })
  const { stderr } = await svc('launch', 'web:12.k7qd', '--agent', 'ninja')
  expect(stderr).toContain('Did you mean nina? svc launch web:12.k7qd --agent nina\n')
})

test('a run that hangs is shown with what calls it off', async () => {
  const run = {
    ...request,
    status: 'launched',
    outcome: 'running',
    config: { model: {}, reasoningEffort: {} },
  }
  routes[`GET /api/execution-requests/${request.id}`] = () => ({ executionRequest: run })
  routes[`GET /api/objectives/${objective.id}`] = () => ({ objective })
  routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [objective] })
  const { stdout } = await svc('runs', 'show', id('05'))
  expect(stdout).toContain(`svc cancel ${request.id}`)
})
