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

const item = {
  id: id('21'),
  title: 'Logs \u001b[31mnow',
  text: 'Rotate\u001b[2J them.',
  mission: null,
  turned: null,
  notedBy: { source: 'mcp', tokenLabel: 'Claude \u001b[31m' },
  revision: 1,
  createdAt: at,
  updatedAt: at,
  doneAt: null,
}
const turned = { id: mission.id, displayId: mission.displayId }

describe('inbox items', () => {
  test('are listed open or all, with the mission they became', async () => {
    routes['GET /api/inbox-items?limit=50&state=open'] = () => ({ inboxItems: [item] })
    routes['GET /api/inbox-items?limit=1&state=all'] = () => ({
      inboxItems: [{ ...item, mission: turned, doneAt: at }],
      nextCursor: item.id,
    })
    expect((await svc('inbox', 'list')).stdout).toBe(
      `ITEM                                  STATE  NOTED                       TITLE\n${item.id}  open   ${shownAt}  Logs now\n`,
    )
    const all = await svc('inbox', 'list', '--all', '--limit', '1')
    expect(all.stdout).toContain(`${item.id}  web:12  `)
    routes['GET /api/inbox-items?limit=50&state=turned'] = () => ({
      inboxItems: [{ ...item, turned: { at, by: null }, doneAt: at }],
    })
    expect((await svc('inbox', 'list', '--turned')).stdout).toContain(`${item.id}  turned  `)
    expect(await svc('inbox', 'list', '--turned', '--all')).toMatchObject({ code: 2 })
    expect(all.stderr).toBe(`There are more: svc inbox list --all --limit 1 --cursor ${item.id}\n`)
  })

  test('are noted down, shown, changed, done, opened again and deleted', async () => {
    const path = `/api/inbox-items/${item.id}`
    routes['POST /api/inbox-items'] = () => ({ inboxItem: item })
    routes[`GET ${path}`] = () => ({ inboxItem: item })
    routes[`PATCH ${path}`] = () => ({ inboxItem: item })
    routes[`DELETE ${path}`] = () => ({})
    await svc('inbox', 'create', 'Logs', '--text', 'Rotate.')
    const shown = (await svc('inbox', 'show', item.id)).stdout
    expect(shown).toMatch(/\n\nRotate them\.\n$/)
    expect(shown).toContain('an agent, with the token Claude\n')
    await svc('inbox', 'edit', item.id, '--title', 'All logs', '--text', '')
    await svc('inbox', 'done', item.id)
    await svc('inbox', 'reopen', item.id)
    expect((await svc('inbox', 'delete', item.id)).stdout).toBe(`deleted ${item.id}\n`)
    expect(calls.map(({ body }) => body)).toEqual([
      { title: 'Logs', text: 'Rotate.' },
      undefined,
      { title: 'All logs', text: null },
      { done: true },
      { done: false },
      undefined,
    ])
    expect(await svc('inbox', 'edit', item.id)).toMatchObject({ code: 2 })
  })

  test('without a text are turned into missions that still need an objective', async () => {
    routes[`POST /api/inbox-items/${item.id}/mission`] = () => ({
      inboxItem: { ...item, mission: turned },
      mission,
      objectives: [],
    })
    const { code, stderr } = await svc('inbox', 'turn', item.id, 'web')
    expect(code).toBe(0)
    expect(stderr).toContain(': svc objectives add web:12 --instruction-file -\n')
  })

  test('are turned into missions', async () => {
    routes[`POST /api/inbox-items/${item.id}/mission`] = () => {
      return { inboxItem: { ...item, mission: turned }, mission, objectives: [objective] }
    }
    const { stdout } = await svc('inbox', 'turn', item.id, 'web', '--priority', 'high')
    expect(stdout).toContain('web:12.k7qd')
    const own = ['--title', 'All logs', '--objective', 'Daily.', '--objective', 'Test it.']
    await svc('inbox', 'turn', item.id, 'web', ...own)
    expect(calls.map(({ body }) => body)).toEqual([
      { projectId: 'web', priority: 'high' },
      {
        projectId: 'web',
        title: 'All logs',
        objectives: [{ instruction: 'Daily.' }, { instruction: 'Test it.' }],
      },
    ])
  })
})

describe('notifications', () => {
  const notification = {
    id: id('22'),
    kind: 'question',
    title: 'claude asks about web:12.k7qd',
    link: '/api/questions?objectiveId=x',
    next: { operation: 'answerQuestion', params: { id: 'web:12.k7qd' } },
    createdAt: at,
    readAt: null,
  }

  test('are listed, those that are unread alone where only those are wanted', async () => {
    routes['GET /api/notifications?limit=50&state=all'] = () => ({ notifications: [] })
    routes['GET /api/notifications?limit=50&state=unread'] = () => ({
      notifications: [notification],
    })
    expect((await svc('notifications', 'list')).code).toBe(0)
    const { stdout } = await svc('notifications', 'list', '--unread')
    expect(stdout).toContain(
      `unread  ${shownAt}  claude asks about web:12.k7qd  svc questions answer web:12.k7qd --text-file -  ${notification.id}`,
    )
  })

  test('are read by name, or all of them', async () => {
    routes['POST /api/notifications/read'] = () => ({ read: 1 })
    expect((await svc('notifications', 'read', notification.id)).stdout).toBe('read 1\n')
    await svc('notifications', 'read')
    expect(calls.map(({ body }) => body)).toEqual([{ notificationIds: [notification.id] }, {}])
  })
})
