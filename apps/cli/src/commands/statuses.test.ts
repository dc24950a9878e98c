import { beforeEach, describe, expect, test } from 'vitest'
import { calls, id, routes, statuses, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const project = '/api/projects/web/statuses'
const [first, second] = statuses as [(typeof statuses)[0], (typeof statuses)[0]]

beforeEach(() => {
  routes[`GET ${project}`] = () => ({ project: {}, statuses })
})

describe('the statuses of a project', () => {
  test('are listed in their order', async () => {
    const { stdout } = await svc('projects', 'statuses', 'list', 'web')
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      `In progress  execute  ${first.id}`,
      `In review    review   ${second.id}`,
    ])
  })

  test('are added with a type', async () => {
    routes[`POST ${project}`] = () => ({ status: first })
    await svc('projects', 'statuses', 'add', 'web', 'Ideas', '--type', 'draft')
    expect(calls.at(-1)?.body).toEqual({ label: 'Ideas', type: 'draft' })
  })

  test('are renamed by label', async () => {
    routes[`PATCH ${project}/${first.id}`] = () => ({ status: first })
    await svc('projects', 'statuses', 'rename', 'web', 'in progress', 'Doing')
    expect(calls.at(-1)?.body).toEqual({ label: 'Doing' })
  })

  test('are ordered by naming them', async () => {
    routes[`PUT ${project}/order`] = () => ({ statuses })
    await svc('projects', 'statuses', 'order', 'web', 'In review', 'execute')
    expect(calls.at(-1)?.body).toEqual({ statusIds: [second.id, first.id] })
  })

  test('are deleted, and their missions moved', async () => {
    routes[`DELETE ${project}/${first.id}?moveTo=${second.id}`] = () => ({ moved: 3 })
    const argv = ['projects', 'statuses', 'delete', 'web', 'In progress', '--move-to', 'review']
    const { stdout } = await svc(...argv)
    expect(stdout).toBe('deleted In progress; missions moved: 3\n')
  })

  test('are changed as they were read, or not at all', async () => {
    const expected = ['--expected-revision', '7']
    routes[`PATCH ${project}/${first.id}`] = () => ({ status: first })
    await svc('projects', 'statuses', 'rename', 'web', 'in progress', 'Doing', ...expected)
    expect(calls.at(-1)?.body).toEqual({ label: 'Doing', expectedRevision: 7 })
    routes[`PUT ${project}/order`] = () => ({ statuses })
    await svc('projects', 'statuses', 'order', 'web', 'In review', 'execute', ...expected)
    expect(calls.at(-1)?.body).toMatchObject({ expectedRevision: 7 })
    routes[`DELETE ${project}/${first.id}?expectedRevision=7`] = () => ({ moved: 0 })
    const { code } = await svc('projects', 'statuses', 'delete', 'web', 'In progress', ...expected)
    expect(code).toBe(0)
  })

  test('that are not there are named with those that are', async () => {
    const { code, stderr } = await svc('projects', 'statuses', 'delete', 'web', id('99'))
    expect({ code, stderr }).toMatchObject({ code: 2 })
    expect(stderr).toContain('use one of In progress, In review')
  })
})
