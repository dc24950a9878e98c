import { describe, expect, test } from 'vitest'
import {
  at,
  calls,
  id,
  mission,
  objective,
  routes,
  shownAt,
  svc,
  useAnswers,
} from '../testing/answers.ts'

useAnswers()

const restorableUntil = '2026-12-01T00:00:00.000Z'
const shownUntil = '2026-12-01 05:45:00 +05:45'

describe.each([
  ['missions', 'missionIds', 'web:12', mission],
  ['objectives', 'objectiveIds', 'web:12.k7qd', objective],
] as const)('%s', (group, field, ref, { displayId, title }) => {
  test('are deleted with --confirm, and their command says how to restore them', async () => {
    const answer = {
      deleted: [{ id: id('01'), displayId, title }],
      cancelledRuns: 1,
      restorableUntil,
    }
    routes[`POST /api/${group}/delete`] = () => answer
    const { code, stdout, stderr } = await svc(group, 'delete', ref, id('02'), '--confirm')
    expect(calls.at(-1)?.body).toEqual({ [field]: [ref, id('02')], confirm: true })
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(displayId) })
    expect(stderr).toContain('Cancelled: 1.')
    expect(stderr).toContain(`Until ${shownUntil}: svc ${group} restore ${displayId}`)
    const json = await svc(group, 'delete', ref, '--confirm', '--json')
    expect(JSON.parse(json.stdout)).toEqual(answer)
  })

  test('are listed without --confirm, and the next command deletes them', async () => {
    routes[`POST /api/${group}/delete`] = () => ({
      error: {
        code: 'confirmation_required',
        message: `This would delete 1: ${displayId}.`,
        next: {
          operation: group === 'missions' ? 'deleteMissions' : 'deleteObjectives',
          params: { [field]: displayId, running: id('03') },
        },
        requestId: 'r1',
      },
    })
    const { code, stderr } = await svc(group, 'delete', ref)
    expect(calls.at(-1)?.body).toEqual({ [field]: [ref] })
    expect(code).toBe(2)
    const command = `${group} delete ${displayId} --confirm --running ${id('03')}`
    expect(stderr).toContain(`svc ${command}`)
    await svc(...command.split(' '))
    const confirmed = { [field]: [displayId], confirm: true, running: [id('03')] }
    expect(calls.at(-1)?.body).toEqual(confirmed)
  })
})

test('a mission is restored with its objectives', async () => {
  routes['POST /api/missions/web%3A12/restore'] = () => ({ mission, objectives: [objective] })
  const { code, stdout } = await svc('missions', 'restore', 'web:12')
  expect(code).toBe(0)
  expect(stdout).toMatch(/objectives +1/)
})

test('an objective is restored', async () => {
  routes['POST /api/objectives/web%3A12.k7qd/restore'] = () => ({ objective })
  const { code, stdout } = await svc('objectives', 'restore', 'web:12.k7qd')
  expect(code).toBe(0)
  expect(stdout).toContain(objective.state)
})

test('objectives are reordered by naming all that have not started', async () => {
  routes['PUT /api/missions/web%3A12/future-objectives'] = () => ({
    mission,
    objectives: [objective],
  })
  const { code, stdout } = await svc('objectives', 'reorder', 'web:12', 'web:12.b', 'web:12.a')
  expect(calls.at(-1)?.body).toEqual({ objectiveIds: ['web:12.b', 'web:12.a'] })
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('web:12.k7qd'),
  })
})

describe('what was deleted', () => {
  const one = (displayId: string) => ({
    deleted: [{ id: id('01'), displayId, title: 'Dark mode', deletedAt: at, restorableUntil }],
    nextCursor: id('01'),
  })
  const row = (displayId: string) => `${displayId}  ${shownAt}  ${shownUntil}  Dark mode\n`

  test('is listed: missions, with until when they can be restored', async () => {
    routes['GET /api/deleted-missions?limit=50&projectId=web'] = () => one('web:12')
    const { stdout, stderr } = await svc('missions', 'list', '--deleted', '--project', 'web')
    expect(stdout).toContain(row('web:12 '))
    expect(stderr).toBe(
      `Restore it: svc missions restore web:12\nThere are more: svc missions list --deleted --project web --cursor ${id('01')}\n`,
    )
  })

  test('is listed: objectives of a mission', async () => {
    routes['GET /api/missions/web%3A12/deleted-objectives'] = () => one('web:12.k7qd')
    const { stdout, stderr } = await svc('objectives', 'list', 'web:12', '--deleted')
    expect(stdout).toContain(row('web:12.k7qd'))
    expect(stderr).toContain('svc objectives restore web:12.k7qd')
  })

  test('is not searched', async () => {
    expect(await svc('missions', 'list', '--deleted', '--query', 'dark')).toMatchObject({
      code: 2,
      stderr: 'usage: --deleted is narrowed by --project alone.\n',
    })
  })
})
