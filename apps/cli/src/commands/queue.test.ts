import { describe, expect, test } from 'vitest'
import {
  calls,
  id,
  mission,
  objective,
  request,
  routes,
  svc,
  useAnswers,
} from '../testing/answers.ts'

useAnswers()

const entry = {
  id: id('20'),
  objectiveId: objective.id,
  displayId: objective.displayId,
  title: objective.title,
  position: 1,
  state: 'held',
  reason: 'run_failed',
  waitingOn: null,
  attempt: 1,
  turnGrantedBy: null,
  queuedBy: id('30'),
  executionRequestId: null,
}
const waiting = {
  ...entry,
  id: id('21'),
  objectiveId: id('22'),
  displayId: 'web:12.m2ab',
  title: 'Test it',
  position: 2,
  state: 'waiting',
  reason: 'mission_busy',
  waitingOn: { type: 'objective', id: objective.id },
}
const queue = {
  id: id('23'),
  projectId: mission.projectId,
  name: 'Default',
  position: 1,
  isDefault: true,
  state: 'paused',
  pausedAt: null,
  pausedBy: null,
  pauseReason: 'run_failed',
  advanceOwedSince: null,
  revision: 3,
  entries: [entry, waiting],
}
const night = { ...queue, id: id('24'), name: 'Night', isDefault: false, position: 2, entries: [] }

function listed() {
  const answer = () => ({ queues: [queue, night] })
  routes['GET /api/projects/web/run-queues'] = answer
  routes[`GET /api/projects/${mission.projectId}/run-queues`] = answer
  routes['GET /api/objectives/web%3A12.k7qd'] = () => ({
    objective: { ...objective, missionId: mission.id },
  })
  routes[`GET /api/missions/${mission.id}`] = () => ({ mission, objectives: [] })
}

const sent = () => calls.filter(({ route }) => !route.startsWith('GET')).at(-1)

describe('svc queue', () => {
  test('says how one that is idle is started, where something waits in it', async () => {
    const idle = { ...queue, state: 'idle', pauseReason: null, entries: [waiting] }
    const queues = [idle, { ...idle, name: 'Night', isDefault: false }, { ...idle, entries: [] }]
    routes['GET /api/projects/web/run-queues'] = () => ({ queues })
    const { stdout } = await svc('queue', 'list', 'web')
    expect(stdout.match(/svc queue start.*/g)).toEqual([
      'svc queue start web',
      'svc queue start web Night',
    ])
  })

  const turn = { ...waiting, reason: 'turn', waitingOn: null }
  test.each([
    ['idle', {}, turn, 'svc queue start web'],
    ['idle', {}, { ...turn, turnGrantedBy: id('30') }, undefined],
    ['idle', {}, { ...turn, reason: 'no_agent' }, 'svc objectives edit web:12.m2ab --agent <key>'],
    ['paused', {}, turn, 'svc queue start web'],
    ['paused', { advanceOwedSince: 'then' }, turn, 'svc queue resume web'],
  ])('of one that is %s with %j says what %j needs', async (state, fields, one, command) => {
    const shown = { ...queue, state, ...fields, entries: [one] }
    routes['GET /api/projects/web/run-queues'] = () => ({ queues: [shown] })
    const { stdout } = await svc('queue', 'list', 'web')
    expect(/svc .*/.exec(stdout)?.[0]).toBe(command)
  })

  test('says of an entry that was retried that it takes its turn', async () => {
    const granted = { ...turn, turnGrantedBy: id('30') }
    const idle = { ...queue, state: 'idle', pauseReason: null, entries: [granted] }
    routes['GET /api/projects/web/run-queues'] = () => ({ queues: [idle] })
    const { stdout } = await svc('queue', 'list', 'web')
    expect(stdout).toContain('Default: about to launch\n')
    expect(stdout).toContain('takes its turn now')
  })

  test('lists queues, why each entry waits, and what to do', async () => {
    listed()
    const { code, stdout } = await svc('queue', 'list', 'web')
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'Default: paused, run failed',
        '#  OBJECTIVE    STATE    WHY                        TITLE',
        '1  web:12.k7qd  held     run failed                 Add a switch',
        '2  web:12.m2ab  waiting  mission busy: web:12.k7qd  Test it',
        'Try it again: svc queue retry web:12.k7qd',
        `Let it go on: svc queue resume web`,
        '',
        'Night: paused, run failed',
        `Let it go on: svc queue resume web Night`,
        '',
      ].join('\n'),
    )
    expect(JSON.parse((await svc('queue', 'list', 'web', '--json')).stdout)).toEqual({
      queues: [queue, night].map((one) => ({ ...one, nextSteps: expect.any(Array) })),
    })
  })

  test.each([
    ['run_lost', 'svc queue retry web:12.k7qd'],
    ['forbidden', 'svc queue retry web:12.k7qd'],
    ['no_instruction', 'svc objectives edit web:12.k7qd --instruction-file -'],
    ['no_agent', 'svc objectives edit web:12.k7qd --agent <key>'],
    ['no_resource', 'svc objectives edit web:12.k7qd --resource <key>'],
    ['resource_read_only', 'svc objectives edit web:12.k7qd --resource <key>'],
    ['mission_closed', 'svc missions move web:12 execute && svc queue retry web:12.k7qd'],
  ])('of an entry that is held for %s says what lets it go', async (reason, command) => {
    const held = { ...queue, state: 'idle', entries: [{ ...entry, reason }] }
    routes['GET /api/projects/web/run-queues'] = () => ({ queues: [held] })
    const { stdout } = await svc('queue', 'list', 'web')
    expect(stdout.match(/svc .*/g)).toEqual([command])
  })

  test('that a person paused goes on before anything is retried', async () => {
    routes['GET /api/projects/web/run-queues'] = () => ({
      queues: [{ ...queue, pausedBy: id('30'), pauseReason: null }],
    })
    const { stdout } = await svc('queue', 'list', 'web')
    expect(stdout.match(/svc .*/g)).toEqual(['svc queue resume web', 'svc queue retry web:12.k7qd'])
  })

  test('adds and moves an objective to a position', async () => {
    listed()
    routes['POST /api/run-queues/entries'] = () => ({ queue, entry })
    await svc('queue', 'add', 'web:12.k7qd', '--queue', 'Night', '--front')
    expect(sent()?.body).toEqual({ objectiveId: 'web:12.k7qd', queue: 'Night', front: true })
    await svc('queue', 'move', 'web:12.k7qd', '--position', '2')
    expect(sent()?.body).toEqual({ objectiveId: 'web:12.k7qd', position: 2 })
    await svc('queue', 'move', 'web:12.k7qd', '--after', 'web:12.m2ab')
    expect(sent()?.body).toEqual({ objectiveId: 'web:12.k7qd', after: 'web:12.m2ab' })
  })

  test.each([
    ['remove', `DELETE /api/run-queues/entries/${entry.id}`],
    ['retry', `POST /api/run-queues/entries/${entry.id}/retry`],
  ])('%ss the entry of an objective', async (command, route) => {
    listed()
    routes[route] = () => ({ queue, entry })
    const { code, stdout } = await svc('queue', command, 'web:12.k7qd')
    expect([code, sent()?.route]).toEqual([0, route])
    expect(stdout).toContain('Default: paused')
  })

  test('of an objective that is in none says how it gets into one', async () => {
    listed()
    routes['GET /api/objectives/web%3A12.zzzz'] = () => ({
      objective: { ...objective, id: id('99'), displayId: 'web:12.zzzz', missionId: mission.id },
    })
    for (const command of ['retry', 'move']) {
      const { code, stderr } = await svc('queue', command, 'web:12.zzzz')
      const message = 'usage: web:12.zzzz is in no queue: add it with svc queue add web:12.zzzz.\n'
      expect([code, stderr, sent()]).toEqual([2, message, undefined])
    }
  })

  test('reorders by naming every objective', async () => {
    listed()
    const route = `PUT /api/run-queues/${queue.id}/order`
    routes[route] = () => ({ queue })
    await svc('queue', 'reorder', 'web', 'web:12.m2ab', 'web:12.k7qd')
    expect(sent()).toEqual({ route, body: { orderedEntryIds: [waiting.id, entry.id] } })
    const { code, stderr } = await svc('queue', 'reorder', 'web', 'web:12.zzzz')
    expect([code, stderr]).toEqual([2, expect.stringContaining('web:12.k7qd, web:12.m2ab')])
  })

  test.each(['start', 'pause', 'resume'])(
    '%ss the default queue, or the named one',
    async (act) => {
      listed()
      for (const one of [queue, night]) {
        routes[`POST /api/run-queues/${one.id}/${act}`] = () => ({
          queue,
          executionRequest: request,
        })
      }
      await svc('queue', act, 'web')
      expect(sent()?.route).toBe(`POST /api/run-queues/${queue.id}/${act}`)
      await svc('queue', act, 'web', 'night')
      expect(sent()?.route).toBe(`POST /api/run-queues/${night.id}/${act}`)
      const { code, stderr } = await svc('queue', act, 'web', 'Noon')
      expect([code, stderr]).toEqual([2, expect.stringContaining('Default, Night')])
    },
  )

  test('creates, renames, places and deletes queues', async () => {
    listed()
    routes['POST /api/projects/web/run-queues'] = () => ({ queue: night })
    await svc('queue', 'create', 'web', 'Night')
    expect(sent()?.body).toEqual({ name: 'Night' })
    routes[`PATCH /api/run-queues/${night.id}`] = () => ({ queue: night })
    await svc('queue', 'update', 'web', 'Night', '--name', 'Evening')
    expect(sent()?.body).toEqual({ name: 'Evening' })
    routes[`PUT /api/projects/${mission.projectId}/run-queues/order`] = () => ({ queues: [queue] })
    await svc('queue', 'update', 'web', 'Night', '--position', '2')
    expect(sent()?.body).toEqual({ queueIds: [queue.id, night.id] })
    const route = `DELETE /api/run-queues/${night.id}?moveEntriesTo=${queue.id}`
    routes[route] = () => ({})
    await svc('queue', 'delete', 'web', 'Night', '--move-to', 'Default')
    expect(sent()?.route).toBe(route)
  })

  test('that holds entries is deleted once it is said where they go', async () => {
    listed()
    const full = { ...night, entries: [entry] }
    routes['GET /api/projects/web/run-queues'] = () => ({ queues: [queue, full] })
    const { code, stderr } = await svc('queue', 'delete', 'web', 'Night')
    expect([code, sent()]).toEqual([5, undefined])
    expect(stderr).toContain('with svc queue delete web Night --move-to Default\n')
  })
})
