import { describe, expect, test } from 'vitest'
import {
  at,
  changes,
  event,
  id,
  mission,
  objective,
  routes,
  shownAt,
  svc,
  useAnswers,
} from '../testing/answers.ts'

useAnswers()

const artifact = {
  id: id('11'),
  missionId: mission.id,
  objectiveId: objective.id,
  deliveryId: id('10'),
  type: 'next_steps',
  label: 'What is left',
  contentText: 'Write \u001b[31mdocs.',
  externalUrl: null,
  revision: 2,
  createdAt: at,
  updatedAt: at,
}
const delivery = {
  id: id('10'),
  missionId: mission.id,
  objectiveId: objective.id,
  sessionId: null,
  summary: 'Done.\nAnd tested.',
  report: {
    schemaVersion: 1,
    agentReport: {},
    presentation: { status: 'composed', markdown: '# Done\n\n\u001b[2J- It works' },
  },
  artifacts: [artifact],
  warnings: [],
  createdAt: at,
}
const change = {
  objectiveId: objective.id,
  filePath: 'src/switch.ts',
  vcsStatus: 'modified',
  rationale: { label: 'Switch', summary: 'Adds it.', why: 'Asked for.', impact: 'A button.' },
  additions: 3,
  deletions: 1,
}
const ofOther = { ...change, objectiveId: id('ff'), filePath: 'other.ts' }
const whole = { ...objective, missionId: mission.id }

function serve(deliveries: readonly object[] = [delivery]) {
  routes['GET /api/objectives/web%3A12.k7qd'] = () => ({ objective: whole, mission })
  routes[`GET /api/objectives/${objective.id}`] = () => ({ objective: whole, mission })
  routes[`GET /api/missions/${mission.id}/deliveries?limit=200`] = () => ({
    deliveries: [{ ...delivery, objectiveId: id('ff') }],
    nextCursor: 'more',
  })
  routes[`GET /api/missions/${mission.id}/deliveries?limit=200&cursor=more`] = () => ({
    deliveries,
  })
  routes['GET /api/missions/web%3A12/deliveries?limit=1'] = () => ({ deliveries })
  routes[`GET /api/missions/${mission.id}/file-changes?limit=200`] = () => ({
    fileChanges: [
      { ...change, filePath: 'a.ts', rationale: null, additions: null },
      change,
      ofOther,
    ],
    nextCursor: 'never asked for',
  })
}

describe('deliveries', () => {
  test('are listed with how they are presented and the first line of their summary', async () => {
    routes['GET /api/missions/web%3A12/deliveries?limit=50'] = () => ({ deliveries: [delivery] })
    routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [objective] })
    const { stdout } = await svc('deliveries', 'list', 'web:12')
    expect(stdout).toBe(
      'OBJECTIVE    DELIVERED AT                PRESENTED  ARTIFACTS  SUMMARY  DELIVERY\n' +
        `web:12.k7qd  ${shownAt}  composed   1          Done.    ${id('10')}\n`,
    )
  })

  test('are shown after their objective was deleted', async () => {
    serve()
    delete routes[`GET /api/objectives/${objective.id}`]
    routes['GET /api/missions/web%3A12/deliveries?limit=200'] = () => ({
      deliveries: [{ ...delivery, id: id('12') }, delivery],
    })
    for (const named of [[], [delivery.id]]) {
      const { code, stdout } = await svc('deliveries', 'show', 'web:12', ...named)
      expect(code).toBe(0)
      expect(stdout).toContain(`delivery      ${id('10')}\nobjective     deleted\n`)
    }
  })

  test.each([
    ['web:12', 4, `not_found: web:12 has no delivery ${id('13')}: run svc deliveries list web:12.`],
    ['web:12.k7qd', 2, `usage: web:12.k7qd is delivered once: leave out ${id('13')}.`],
  ])('of %s by an id that is not one of it are refused', async (ref, code, line) => {
    routes['GET /api/missions/web%3A12/deliveries?limit=200'] = () => ({ deliveries: [delivery] })
    const answer = await svc('deliveries', 'show', ref, id('13'))
    expect(answer).toEqual({ code, stdout: '', stderr: `${line}\n` })
  })

  test.each(['web:12.k7qd', 'web:12'])(
    'of %s are shown with report, artifacts and reasons, on a terminal that stays whole',
    async (ref) => {
      serve()
      const { code, stdout, stderr } = await svc('deliveries', 'show', ref)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toBe(`delivery      ${id('10')}
objective     web:12.k7qd
title         Add a switch
delivered at  ${shownAt}
presented     as a model composed it; --json has what the agent reported

# Done

- It works

ARTIFACT                              TYPE        LABEL
${id('11')}  next_steps  What is left

a.ts  modified
src/switch.ts  modified +3 -1
  Switch: Adds it.
  why: Asked for.
  impact: A button.
`)
    },
  )

  test('are printed with the changes of their objective alone as JSON', async () => {
    serve()
    const { stdout } = await svc('deliveries', 'show', 'web:12', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      delivery,
      fileChanges: [{ filePath: 'a.ts' }, { filePath: 'src/switch.ts' }],
    })
  })

  test.each([
    ['web:12', 'svc missions show web:12'],
    ['web:12.k7qd', 'svc objectives show web:12.k7qd'],
  ])('that are not there for %s are said to be missing', async (ref, next) => {
    serve([])
    expect(await svc('deliveries', 'show', ref)).toEqual({
      code: 4,
      stdout: '',
      stderr: `not_found: Nothing was delivered for ${ref} yet: run ${next}.\n`,
    })
  })
})

describe('artifacts', () => {
  test('are listed', async () => {
    routes['GET /api/missions/web%3A12/artifacts?limit=50'] = () => ({ artifacts: [artifact] })
    const { stdout } = await svc('artifacts', 'list', 'web:12')
    expect(stdout).toBe(
      'ARTIFACT                              TYPE        LABEL         REVISION  UPDATED AT\n' +
        `${id('11')}  next_steps  What is left  2         ${shownAt}\n`,
    )
  })

  test.each([id('11'), 'next_steps', 'What is left'])('are read by %s', async (wanted) => {
    routes['GET /api/missions/web%3A12/artifacts?limit=200'] = () => ({ artifacts: [artifact] })
    const { stdout } = await svc('artifacts', 'show', 'web:12', wanted)
    expect(stdout).toContain(`artifact    ${id('11')}\ntype        next_steps\n`)
    expect(stdout).toMatch(/\n\nWrite docs\.\n$/)
  })

  test('that are not there are said to be missing', async () => {
    routes['GET /api/missions/web%3A12/artifacts?limit=200'] = () => ({ artifacts: [] })
    expect(await svc('artifacts', 'show', 'web:12', 'plan')).toMatchObject({
      code: 4,
      stderr: 'not_found: web:12 has no artifact plan: run svc artifacts list web:12.\n',
    })
  })
})

describe('the events of a mission', () => {
  const events = [event('21', 'delivery', 'Done.'), event('20', 'update', 'Half way.')]

  test('are a table, the newest last', async () => {
    routes['GET /api/missions/web%3A12/events?limit=50'] = () => ({ events })
    const { stdout } = await svc('events', 'web:12')
    expect(stdout).toBe(
      'AT                          EVENT     BY     WHAT\n' +
        `${shownAt}  update    alice  Half way.\n${shownAt}  delivery  alice  Done.\n`,
    )
  })

  test('are narrowed to types and to an objective', async () => {
    const narrowed = 'limit=50&types=delivery%2Cci%3Apassed&objectiveId=web%3A12.k7qd'
    routes[`GET /api/missions/web%3A12/events?${narrowed}`] = () => ({ events: [] })
    const types = ['--type', 'delivery', '--type', 'ci:passed']
    const { code } = await svc('events', 'web:12', ...types, '--objective', 'web:12.k7qd')
    expect(code).toBe(0)
  })

  test('are followed, those of a type alone', async () => {
    let reads = 0
    routes['GET /api/missions/web%3A12/feed'] = changes
    routes['GET /api/missions/web%3A12/events'] = () => {
      reads += 1
      return reads > 2 ? undefined : { events }
    }
    const { stdout } = await svc('events', 'web:12', '-f', '--json', '--type', 'update')
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).summary),
    ).toEqual(['Half way.'])
  })

  test('are followed, one a line as JSON', async () => {
    let reads = 0
    routes['GET /api/missions/web%3A12/feed'] = changes
    routes['GET /api/missions/web%3A12/events'] = () => {
      reads += 1
      // the third look finds the mission gone, which ends the command
      return reads > 2 ? undefined : { events: reads === 1 ? events.slice(1) : events }
    }
    const { code, stdout } = await svc('events', 'web:12', '-f', '--json')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['update', 'delivery'])
    expect(code).toBe(4)
  })
})
