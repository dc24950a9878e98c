import type { FeedChange } from '@svc/contracts/feed'
import type { RouteName, RouteOutput } from '@svc/contracts/rest'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Read, startLive } from './live.ts'
import type { Call } from './read-together.ts'
import { objectivesTogether } from './objectives-together.ts'
import { keepNewest } from './newest.ts'

const a = '00000000-0000-4000-8000-00000000000a'
const b = '00000000-0000-4000-8000-00000000000b'

const change = (more: Partial<FeedChange>): FeedChange => ({
  entity: 'project',
  entityId: a,
  operation: 'update',
  revision: null,
  projectId: a,
  missionId: null,
  data: {},
  at: '2026-11-26T00:00:00.000Z',
  ...more,
})

const tell = (more: Partial<FeedChange>) =>
  ({ type: 'change', cursor: '1.1', change: change(more) }) as const

/** What a page shows of one read, and how often it was asked for. */
function show<N extends RouteName>(queries: QueryClient, read: Read<N>, answers: unknown[]) {
  let asked = 0
  const observer = new QueryObserver(queries, {
    queryKey: [read.operation, {}],
    // it is given back as it is
    queryFn: () =>
      Promise.resolve(answers[Math.min(asked++, answers.length - 1)] as RouteOutput<N>),
    meta: { about: { read, request: {} } },
    staleTime: Infinity,
    structuralSharing: keepNewest,
  })
  const leave = observer.subscribe(() => undefined)
  onTestFinished(leave)
  return { leave, asked: () => asked, shown: () => observer.getCurrentResult().data }
}

function begin(call: Call = () => Promise.reject(new Error('nothing is read together'))) {
  const queries = new QueryClient()
  const live = startLive(queries, call, 1)
  onTestFinished(() => {
    live.stop()
    queries.clear()
  })
  return { queries, live }
}

const projects: Read<'listProjects'> = {
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
}
const page = (...rows: [id: string, name: string, revision: number][]) => ({
  projects: rows.map(([id, name, revision]) => ({ id, name, revision })),
})

describe('a change that the feed tells', () => {
  test('has what it concerns read again, once for all that come together', async () => {
    const { queries, live } = begin()
    const list = show(queries, projects, [page([a, 'old', 1]), page([a, 'new', 3])])
    await expect.poll(list.shown).toEqual(page([a, 'old', 1]))
    for (const _each of [1, 2, 3]) live.hear(tell({}))
    live.hear(tell({ entity: 'mission' }))
    await expect.poll(list.shown).toEqual(page([a, 'new', 3]))
    expect(list.asked()).toBe(2)
  })

  test('is written into what is shown, where it says all there is to know', async () => {
    const { queries, live } = begin()
    const patching: Read<'listProjects'> = {
      ...projects,
      patch: (answer, { entityId, data }) => ({
        projects: answer.projects.map((one) =>
          one.id === entityId ? { ...one, name: String(data['name']) } : one,
        ),
      }),
    }
    const list = show(queries, patching, [page([a, 'old', 1], [b, 'other', 1])])
    await expect.poll(list.shown).toBeDefined()
    live.hear(tell({ data: { name: 'patched' } }))
    await expect.poll(list.shown).toEqual(page([a, 'patched', 1], [b, 'other', 1]))
    expect(list.asked()).toBe(1)
  })

  test('is nothing new where its revision, or a later one, is known', async () => {
    const { queries, live } = begin()
    const list = show(queries, projects, [page([a, 'third', 3]), page([a, 'fourth', 4])])
    await expect.poll(list.shown).toBeDefined()
    live.hear(tell({ revision: 2 }))
    live.hear(tell({ revision: 3 }))
    // whatever was marked before is read with this
    live.hear(tell({ entityId: b, revision: 1 }))
    await expect.poll(list.shown).toEqual(page([a, 'fourth', 4]))
    expect(list.asked()).toBe(2)
  })

  test('takes away what is deleted, though it goes with the revision that is known', async () => {
    const { queries, live } = begin()
    const list = show(queries, projects, [page([a, 'a', 1], [b, 'b', 1]), page([b, 'b', 1])])
    await expect.poll(list.shown).toEqual(page([a, 'a', 1], [b, 'b', 1]))
    live.hear(tell({ operation: 'delete', revision: 1 }))
    await expect.poll(list.shown).toEqual(page([b, 'b', 1]))
  })

  test('has what is off screen read when it is shown, and not before', async () => {
    const { queries, live } = begin()
    const list = show(queries, projects, [page([a, 'old', 1]), page([a, 'new', 2])])
    await expect.poll(list.shown).toBeDefined()
    list.leave()
    live.hear(tell({}))
    await expect.poll(() => queries.getQueryState(['listProjects', {}])?.isInvalidated).toBe(true)
    expect(list.asked()).toBe(1)
  })
})

describe('what is being read while the feed tells of a change', () => {
  const other: Read<'listRunners'> = {
    operation: 'listRunners',
    touchedBy: ({ entity }) => entity === 'project',
  }

  /** Tells of a change, until what the feed has made stale is being read. */
  async function hearChange({ queries, live }: ReturnType<typeof begin>) {
    const beside = show(queries, other, [{ runners: [] }])
    await expect.poll(beside.shown).toBeDefined()
    live.hear(tell({}))
    await expect.poll(beside.asked).toBe(2)
    beside.leave()
  }

  test('is read again, since its answer may be older', async () => {
    const parts = begin()
    const first = Promise.withResolvers<unknown>()
    const list = show(parts.queries, projects, [first.promise, page([a, 'new', 2])])
    await hearChange(parts)
    first.resolve(page([a, 'old', 1]))
    await expect.poll(list.shown).toEqual(page([a, 'new', 2]))
    expect(list.asked()).toBe(2)
  })

  test('is not given up, however much there is to tell', async () => {
    const parts = begin()
    const second = Promise.withResolvers<unknown>()
    const answers = [page([a, 'old', 1]), second.promise, page([a, 'third', 3])]
    const list = show(parts.queries, projects, answers)
    await expect.poll(list.shown).toBeDefined()
    parts.live.hear(tell({}))
    await expect.poll(list.asked).toBe(2)
    await hearChange(parts)
    expect(list.asked()).toBe(2)
    second.resolve(page([a, 'second', 2]))
    await expect.poll(list.shown).toEqual(page([a, 'third', 3]))
  })
})

describe('what is stale of several things of a kind', () => {
  const objectives: Read<'getObjective'> = {
    operation: 'getObjective',
    touchedBy: ({ entity, entityId }, { id }) => entity === 'objective' && entityId === id,
    together: objectivesTogether,
  }
  const c = '00000000-0000-4000-8000-00000000000c'
  const stale = [a, b, c].map((entityId) => tell({ entity: 'objective', entityId }))

  /** A page that shows the three, and what it asks the service for. */
  async function showThree(answer: (operation: string, ids: string[]) => unknown) {
    const asked: string[] = []
    // each answer is as much of its contract as is read here
    const call = ((operation: string, request: { id?: string; ids?: string }) => {
      asked.push(`${operation} ${request.id ?? request.ids}`)
      return Promise.resolve(answer(operation, (request.ids ?? request.id ?? '').split(',')))
    }) as unknown as Call
    const { queries, live } = begin(call)
    const observers = [a, b, c].map((id) => {
      const request = { id }
      const observer = new QueryObserver(queries, {
        queryKey: ['getObjective', request],
        queryFn: () => call('getObjective', request),
        meta: { about: { read: objectives, request } },
        staleTime: Infinity,
        structuralSharing: keepNewest,
      })
      onTestFinished(observer.subscribe(() => undefined))
      return observer
    })
    const shown = () => observers.map((one) => one.getCurrentResult().data?.objective.revision)
    await expect.poll(shown).toEqual([1, 1, 1])
    asked.length = 0
    return { live, asked, shown }
  }

  test('is read by one call', async () => {
    const { live, asked, shown } = await showThree((operation, [id = '', ...more]) =>
      operation === 'getObjective'
        ? { objective: { id, revision: 1 } }
        : { objectives: [id, ...more].map((one) => ({ id: one, revision: 2 })) },
    )
    for (const news of stale) live.hear(news)
    await expect.poll(shown).toEqual([2, 2, 2])
    expect(asked).toEqual([`listObjectives ${a},${b},${c}`])
  })

  test('is read by itself where that call does not answer it, and where it is alone', async () => {
    let revision = 1
    const { live, asked, shown } = await showThree((operation, [id = '']) =>
      operation === 'getObjective'
        ? { objective: { id, revision } }
        : { objectives: [{ id: b, revision }] },
    )
    revision = 2
    for (const news of stale) live.hear(news)
    await expect.poll(shown).toEqual([2, 2, 2])
    expect(asked.toSorted()).toEqual([
      `getObjective ${a}`,
      `getObjective ${c}`,
      `listObjectives ${a},${b},${c}`,
    ])
    revision = 3
    live.hear(tell({ entity: 'objective', entityId: a }))
    await expect.poll(shown).toEqual([3, 2, 2])
    expect(asked.slice(3)).toEqual([`getObjective ${a}`])
  })
})

test('a feed that begins anew has all read again', async () => {
  const { queries, live } = begin()
  const list = show(queries, projects, [page([a, 'old', 1]), page([a, 'new', 2])])
  await expect.poll(list.shown).toBeDefined()
  live.hear({ type: 'reset', cursor: '2.0' })
  await expect.poll(list.shown).toEqual(page([a, 'new', 2]))
})

describe('an answer that comes late', () => {
  test('takes no thing back to an earlier revision', () => {
    const before = page([a, 'third', 3], [b, 'first', 1])
    const after = page([a, 'second', 2], [b, 'second', 2])
    expect(keepNewest(before, after)).toEqual(page([a, 'third', 3], [b, 'second', 2]))
  })

  test('leaves what is the same the same object', () => {
    const before = page([a, 'one', 1], [b, 'two', 1])
    expect(keepNewest(before, structuredClone(before))).toBe(before)
    const changed = keepNewest(before, page([a, 'one', 1], [b, 'else', 2]))
    expect(changed).toMatchObject({ projects: [before.projects[0], { name: 'else' }] })
    expect((changed as typeof before).projects[0]).toBe(before.projects[0])
  })

  test('loses a row that is gone, and keeps the order of the answer', () => {
    const before = page([a, 'one', 5], [b, 'two', 5])
    expect(keepNewest(before, page([b, 'two', 5]))).toEqual(page([b, 'two', 5]))
    const turned = page([b, 'two', 5], [a, 'one', 5])
    expect(keepNewest(before, turned)).toEqual(turned)
  })
})
