import { expect } from 'vitest'
import { test } from './gateway.ts'
import { listTools, modern, modernHeaders } from './messages.ts'

/** Every value of a message in turn replaced by something that no client should send. */
function spoiled(message: object): unknown[] {
  const hostile = [
    null,
    true,
    -1,
    2 ** 53,
    1.5,
    '',
    '\ud800',
    '\0',
    'x'.repeat(70_000),
    [],
    {},
    [[]],
  ]
  const paths = pathsIn(message)
  return paths.flatMap((path) => hostile.map((value) => replaced(message, path, value)))
}

function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsIn(inner).map((path) => [key, ...path]),
  ])
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by
  const inner = Object.entries(value as object)
  const entries = inner.map(([name, one]) => [name, name === key ? replaced(one, rest, by) : one])
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** Sends every nth message of those that are spoiled at one path. */
export function answersSpoiled({ each }: { each: number }) {
  test('whatever stands in a message, it is answered and nothing breaks', async ({
    world,
    gateway,
  }) => {
    const { mission } = await world.missionWith(['One'])
    const calls = [
      {
        name: 'svc_search_missions',
        arguments: { query: 'x', projectId: 'web', limit: 5, cursor: mission.id },
      },
      {
        name: 'svc_deliver_session',
        arguments: {
          sessionKey: 's',
          summary: 'x',
          artifacts: [{ type: 'a', label: 'b', contentText: 'c' }],
        },
      },
    ]
    const legacy = calls.flatMap((params) =>
      spoiled({ ...listTools, method: 'tools/call', params }),
    )
    const newer = calls.flatMap((params) => spoiled(modern('tools/call', params)))
    const all = [
      ...legacy.map((body) => ({ body, headers: {} })),
      ...newer.map((body) => ({ body, headers: modernHeaders('tools/call') })),
    ]
    const sent = all.filter((_, index) => index % each === 0)
    const broken: unknown[] = []
    for (const { body, headers } of sent) {
      const answer = await gateway.post(world.alice.token, body, headers)
      const text = await answer.text()
      if (answer.status >= 500 || text.includes('-32603')) broken.push([body, text])
    }
    expect(all.length).toBeGreaterThan(500)
    expect(broken).toEqual([])
  })
}
