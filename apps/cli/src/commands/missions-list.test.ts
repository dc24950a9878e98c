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

  test.each([
    [['--status', 'review'], 'usage: --status is one of a project: name it with --project'],
    [['--updated-before', 'soon'], 'usage: --updated-before takes a date or a time'],
  ])('are not searched with %j', async (options, beginning) => {
    const { code, stderr } = await svc('missions', 'list', ...options)
    expect([code, stderr.slice(0, beginning.length)]).toEqual([2, beginning])
  })
})
