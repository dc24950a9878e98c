import { appPages } from '@svc/contracts/links'
import { steps } from '@svc/contracts/steps'
import { describe, expect, test } from 'vitest'
import { type RouteKey, findRoute, pathTo, routes } from './routes.ts'
import { leadingStep, stepTarget } from './step-targets.ts'

describe('an address', () => {
  // the keys of an object literal are its key type; Object.keys only says string
  test.each(Object.keys(routes) as RouteKey[])('of %s leads to it, and to nothing else', (key) => {
    const path = routes[key].path.replaceAll(/:(\w+)/g, 'a%20$1')
    const names = [...routes[key].path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const params = Object.fromEntries(names.map((name) => [name, `a ${name}`]))
    expect(findRoute(path)).toEqual({ key, params })
  })

  test('is made of what it is about, with the rest in its query', () => {
    const path = pathTo('review', { mission: 'web:12' }, { f: 'src/a b.ts' })
    expect(path).toBe('/m/web:12/review?f=src%2Fa+b.ts')
    expect(pathTo('mission', { mission: '../x?y' })).toBe('/m/..%2Fx%3Fy')
  })

  // the entries of an object literal have its keys; Object.entries only says string
  test.each(Object.entries(appPages) as [keyof typeof appPages, (id: string) => string][])(
    'that others give for %s is a page',
    (name, page) => {
      const elsewhere = { project: 'board', tokens: 'access' } as const
      const key: RouteKey = name === 'project' || name === 'tokens' ? elsewhere[name] : name
      const [path = ''] = page('web:12.k7qd').split('?')
      const found = findRoute(path)
      expect(found?.key).toBe(key)
      expect(Object.values(found?.params ?? {}).every((id) => id === 'web:12.k7qd')).toBe(true)
    },
  )

  test('that nothing has leads nowhere', () => {
    for (const path of ['/none', '/m', '/m/web:12/review/more']) {
      expect(findRoute(path)).toBeUndefined()
    }
  })
})

describe('a step that the service names', () => {
  test.each(Object.keys(steps))('%s is taken by a page or by a command', (operation) => {
    const id = 'web:12.k7qd'
    // all that any step names
    const names = 'id project queue objective objectiveId label resourceKey version questionId'
    const known = Object.fromEntries(names.split(' ').map((name) => [name, id]))
    const params = { ...known, missionIds: id, objectiveIds: id }
    // every step finds its own among them
    const target = stepTarget({ operation, params } as Parameters<typeof stepTarget>[0])
    expect(target.label).toMatch(/^[A-Z]/)
    const [path = ''] = target.path?.split('?') ?? []
    expect(findRoute(path) ?? target.command).toBeTruthy()
  })

  test('is a page where that is built, and the command where it is not', () => {
    const built = stepTarget({ operation: 'listProjects', params: {} })
    expect(built).toEqual({ label: 'Projects', path: '/projects' })
    const onMachine = stepTarget({ operation: 'connectResource', params: { resourceKey: 'web' } })
    expect(onMachine.command).toContain('svc resource link')
    expect(onMachine.label).toBe('On that machine')
  })
})

test('an objective that lacks an agent leads to where it is named, and not to what offers one', () => {
  const after = {
    operation: 'updateObjective',
    params: { id: 'web:1.aaaa', assigned_agent: '<key>' },
  } as const
  const step = leadingStep({ next: { operation: 'listRunners', params: {} }, after })
  expect(stepTarget(step)).toMatchObject({
    label: 'Name its agent',
    path: expect.stringMatching(/web:1\.aaaa\?do=agent$/),
  })
})
