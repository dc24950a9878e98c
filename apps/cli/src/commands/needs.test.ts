import { NeedKind } from '@svc/contracts/need'
import { describe, expect, test } from 'vitest'
import { at, id, mission, objective, routes, shownAt, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const counts = (set: object = {}) => ({
  ...Object.fromEntries(NeedKind.options.map((kind) => [kind, { mine: 0, all: 0 }])),
  ...set,
})
const project = { id: id('02'), slug: 'web' }
const about = {
  since: at,
  mine: true,
  project,
  mission: { id: mission.id, displayId: 'web:12', title: 'Dark mode' },
  objective: { id: objective.id, displayId: 'web:12.k7qd', title: 'Add a switch' },
}
const review = {
  ...about,
  kind: 'review',
  id: mission.id,
  objective: undefined,
  delivery: {
    id: id('30'),
    createdAt: at,
    files: 1,
    additions: 12,
    deletions: 3,
    checks: 'passed',
    humanActions: 2,
  },
  next: { operation: 'listDeliveries', params: { id: 'web:12' } },
}
const stopped = {
  ...about,
  kind: 'stopped_run',
  id: objective.id,
  run: null,
  reason: 'its agent ended without a delivery',
}

describe('what waits', () => {
  test('is listed with why, and the command that helps', async () => {
    routes['GET /api/needs?limit=50&whose=mine'] = () => ({
      needs: [review, stopped],
      counts: counts({ review: { mine: 1, all: 1 }, stopped_run: { mine: 1, all: 4 } }),
      nextCursor: `stopped_run/${objective.id}`,
    })
    const { stdout, stderr } = await svc('needs')
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(lines).toEqual([
      ['SINCE', 'WHAT', 'ABOUT', 'WHY', 'DO'],
      [
        shownAt,
        'is in review',
        'web:12',
        '1 file +12 −3, checks passed, 2 things for you to do',
        'svc review web:12',
      ],
      [shownAt, 'has stopped', 'web:12.k7qd', 'its agent ended without a delivery', '-'],
      [''],
      ['2 wait for you; 5 in all: svc needs --all'],
      [''],
    ])
    expect(stderr).toContain(`svc needs --cursor stopped_run/${objective.id}`)
  })

  test('of everybody and of a project, and whole with --json', async () => {
    const answer = { needs: [stopped], counts: counts({ stopped_run: { mine: 0, all: 1000 } }) }
    routes['GET /api/needs?limit=50&whose=all&projectId=web'] = () => answer
    const { stdout } = await svc('needs', '--all', '--project', 'web')
    expect(stdout).toContain('1000 or more in all; nothing waits for you.')
    const whole = await svc('needs', '--all', '--project', 'web', '--json')
    expect(JSON.parse(whole.stdout)).toEqual(JSON.parse(JSON.stringify(answer)))
  })

  test('may be nothing, and is of one or of all', async () => {
    routes['GET /api/needs?limit=50&whose=mine'] = () => ({ needs: [], counts: counts() })
    expect((await svc('needs', '--mine')).stdout).toBe('Nothing waits for you.\n')
    expect(await svc('needs', '--mine', '--all')).toMatchObject({ code: 2 })
  })
})
