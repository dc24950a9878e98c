import { describe, expect, test } from 'vitest'
import { id, mission, routes, statuses, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

describe('missions', () => {
  test('are searched by words, phase, status and time, and it is said how the list goes on', async () => {
    routes['GET /api/projects/web/statuses'] = () => ({ project: {}, statuses })
    const query = `limit=1&cursor=${id('08')}&projectId=web&query=dark+switch&statusTypes=execute%2Creview&statusId=${id('07')}&updatedSince=2026-10-31T18%3A15%3A00.000Z`
    routes[`GET /api/missions?${query}`] = () => ({ missions: [mission], nextCursor: id('09') })
    const filters = ['--project', 'web', '--phase', 'execute,review', '--status', 'in review']
    const page = ['--updated-since', '2026-11-01', '--limit', '1', '--cursor', id('08')]
    const search = ['missions', 'list', '--query', 'dark switch', ...filters, ...page]
    const { code, stderr } = await svc(...search)
    const again = `svc missions list --query 'dark switch' --project web`
    expect(code).toBe(0)
    expect(stderr.startsWith(`There are more: ${again} `)).toBe(true)
    expect(stderr.endsWith(` --limit 1 --cursor ${id('09')}\n`)).toBe(true)
    const listed = await svc(...search, '--json')
    expect([JSON.parse(listed.stdout).nextCursor, listed.stderr]).toEqual([id('09'), ''])
  })

  test('are searched by priority, and shown with where the words stand', async () => {
    const other = { ...mission, id: id('31'), displayId: 'web:13' }
    const third = { ...mission, id: id('32'), displayId: 'web:14' }
    const objective = { id: id('33'), displayId: 'web:12.k7qd', title: 'The switch' }
    routes['GET /api/missions?limit=50&query=dark&priority=high&matches=true'] = () => ({
      missions: [mission, other, third],
      matches: [
        { missionId: mission.id, objective, excerpt: '… a dark\u001b[2J switch …' },
        { missionId: other.id, objective: null, excerpt: null },
      ],
    })
    const search = ['--query', 'dark', '--matches', '--priority', 'high']
    const { stdout } = await svc('missions', 'list', ...search)
    expect(stdout).toMatch(/ FOUND IN\n/)
    expect(stdout).toMatch(/^web:12 .* web:12\.k7qd … a dark switch …$/m)
    expect(stdout).toMatch(/^web:13 .* its title$/m)
    expect(stdout).toMatch(/^web:14 .* its id$/m)
  })

  test.each([
    [['--matches'], 'usage: --matches says where the words of --query stand'],
    [['--status', 'review'], 'usage: --status is one of a project: name it with --project'],
    [['--updated-before', 'soon'], 'usage: --updated-before takes a date or a time'],
  ])('are not searched with %j', async (options, beginning) => {
    const { code, stderr } = await svc('missions', 'list', ...options)
    expect([code, stderr.slice(0, beginning.length)]).toEqual([2, beginning])
  })
})
