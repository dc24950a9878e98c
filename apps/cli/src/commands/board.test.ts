import { describe, expect, test } from 'vitest'
import { at, calls, id, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const card = {
  id: id('01'),
  displayId: 'web:12',
  title: 'Dark mode \u001b[31mnow',
  priority: 'high',
  revision: 1,
  createdAt: at,
  updatedAt: at,
  progress: { complete: 1, total: 3 },
  badge: {
    kind: 'running',
    since: at,
    objective: { id: id('04'), displayId: 'web:12.k7qd' },
    agent: 'claude',
    percent: 60,
    waitsOn: null,
  },
}
const draft = {
  status: { id: id('03'), type: 'draft', label: 'Backlog' },
  count: 4812,
  countsMore: false,
  cards: [card, { ...card, displayId: 'web:11', badge: null }],
  nextCursor: id('01'),
}
const done = {
  status: { id: id('06'), type: 'complete', label: 'Done' },
  count: 10_000,
  countsMore: true,
  cards: [],
}
const answer = { project: { id: id('02'), slug: 'web', name: 'Web' }, columns: [draft, done] }

describe('a board', () => {
  test('is its columns below each other, with what each mission is at', async () => {
    routes['GET /api/projects/web/board?limit=30'] = () => answer
    const { stdout } = await svc('board', 'web')
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['Backlog 4812'],
      ['MISSION', 'PRIORITY', 'DONE', 'NOW', 'WAITS ON', 'TITLE'],
      ['web:12', 'high', '1/3', 'running claude 60 %', '-', 'Dark mode now'],
      ['web:11', 'high', '1/3', '-', '-', 'Dark mode now'],
      [`There are more: svc board web --status ${id('03')}`],
      [''],
      ['Done 10000 or more'],
      [''],
    ])
    const { stdout: json } = await svc('board', 'web', '--json')
    expect(JSON.parse(json)).toEqual(answer)
  })

  test('is narrowed, and goes on in one column', async () => {
    routes['GET /api/projects/web/statuses'] = () => ({
      statuses: [{ id: id('03'), type: 'draft', label: 'Backlog', position: 1 }],
    })
    const asked = `limit=30&statusId=${id('03')}&query=dark&statusTypes=draft%2Creview&priority=high&badge=waits`
    routes[`GET /api/projects/web/board?${asked}`] = () => ({ ...answer, columns: [draft] })
    const words = ['--query', 'dark', '--phase', 'draft,review', '--priority', 'high']
    const { code, stderr } = await svc(
      'board',
      'web',
      '--status',
      'backlog',
      ...words,
      '--badge',
      'waits',
    )
    expect(code).toBe(0)
    expect(stderr).toContain(`--badge waits --cursor ${id('01')}`)
    const before = calls.length
    expect(await svc('board', 'web', '--cursor', id('01'))).toMatchObject({ code: 2 })
    expect(await svc('board', 'web', '--badge', 'late')).toMatchObject({ code: 2 })
    expect(calls).toHaveLength(before)
  })
})
