import { describe, expect, test } from 'vitest'
import {
  calls,
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

describe('launch', () => {
  const launched = { executionRequest: request, objective, reused: false, warnings: [] }

  test('sends what was chosen and says how to follow the run', async () => {
    routes['POST /api/objectives/web%3A12.k7qd/launch'] = () => ({
      ...launched,
      warnings: [
        {
          code: 'agent_not_available',
          message: 'No runner has claude.',
          next: { operation: 'listRunners', params: {} },
        },
      ],
    })
    const { code, stderr } = await svc(
      'launch',
      'web:12.k7qd',
      '--agent',
      'claude',
      '--effort',
      'high',
      '--from-base',
      '--runner',
      'box',
    )
    const chosen = { agent: 'claude', reasoningEffort: 'high', fromBase: true, runner: 'box' }
    expect(calls[0]?.body).toEqual(chosen)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `warning: No runner has claude. See who is there with: svc runner status\nFollow it: svc logs ${request.id} -f\n`,
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

  test('of a mission takes the objective that is next in it', async () => {
    const active = { ...objective, displayId: 'web:12.a1aa', state: 'executing' }
    const blank = { ...objective, displayId: 'web:12.b2bb', state: 'draft', instruction: ' ' }
    const named = { ...objective, assigned_agent: 'codex' }
    serveMission({ objectives: [active, blank, named] })
    routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective: named })
    routes['POST /api/objectives/web%3A12.k7qd/launch'] = () => launched
    const { code, stdout } = await svc('launch', 'web:12')
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/objective +web:12\.k7qd/),
    })
    expect(calls.at(-1)?.body).toEqual({ agent: 'codex' })

    serveMission({ objectives: [active, blank] })
    expect(await svc('launch', 'web:12')).toMatchObject({
      code: 5,
      stderr:
        'nothing_to_launch: No objective of web:12 can be launched. web:12.a1aa is on its way: svc missions watch web:12; or call web:12.a1aa off, should it hang: svc cancel web:12.a1aa\n',
    })
  })

  test.each([
    [
      { status: 'launched', outcome: 'delivered' },
      0,
      'See what to do now: svc missions show web:12\n',
    ],
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
    expect(answer).toMatchObject({
      code: 0,
      stderr: 'See what to do now: svc missions show web:12\n',
    })
    const shown = answer.stdout
      .split('\n')
      .flatMap((line) => /delivery +(\w+)/.exec(line)?.[1] ?? [])
    expect(shown).toEqual(['First', 'Second'])
    expect(answer.stdout).not.toMatch(/Before|Of another/)
  })
})
