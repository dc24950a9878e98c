import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { at, calls, id, mission, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const change = {
  entity: 'mission',
  entityId: mission.id,
  operation: 'status',
  revision: 4,
  projectId: mission.projectId,
  missionId: mission.id,
  data: { phase: 'review', label: 'In \u001b[31mreview' },
  at,
}
const log = { executionRequestId: id('05'), bytes: 512, at }
const events = [
  ['7.0.6', 'start', { version: '0.1.0' }],
  ['7.1.6', 'change', change],
  ['7.1.9', 'log', log],
  ['8.0.9', 'reset', { reason: 'cursor_too_old' }],
] as const

/** Once; who comes again finds it gone, which ends the command. */
function serveOnce(route: string): void {
  let times = 0
  routes[route] = () => {
    times += 1
    const lines = events.map(
      ([cursor, event, data]) =>
        `id: ${cursor}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    )
    return times > 1 ? undefined : Readable.from(lines)
  }
}

describe('the live feed', () => {
  test('of the workspace is shown in a line for each change', async () => {
    serveOnce('GET /api/feed')
    const { code, stdout } = await svc('feed')
    expect(code).toBe(4)
    expect(stdout.split('\n')).toEqual([
      `08:49:05 +05:45  mission status                    ${mission.id}  In review, revision 4`,
      `08:49:05 +05:45  execution_request log             ${id('05')}  512 bytes`,
      'Changes are missing here: the cursor is older than what is kept.',
      '',
    ])
  })

  test('of a mission is as it comes with --json, from the cursor on', async () => {
    serveOnce('GET /api/missions/web%3A12/feed')
    const { stdout } = await svc('feed', 'web:12', '--cursor', '7.0.6', '--json')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      events.map(([cursor, event, data]) => ({ event, id: cursor, data })),
    )
    expect(calls).toHaveLength(2)
  })
})
