import { describe, expect, test } from 'vitest'
import { id, mission, objective, request, routes, svc, useAnswers } from './testing/answers.ts'

useAnswers()

const one = { ...objective, id: id('41'), displayId: 'web:12.aaaa' }
const other = { ...objective, id: id('42'), displayId: 'web:12.bbbb' }
const runOf = ({ id: objectiveId }: { id: string }, last: string) => ({
  ...request,
  id: id(last),
  objectiveId,
})

function serve(objectives: readonly object[], runs: readonly object[]): void {
  routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives })
  const route = 'GET /api/execution-requests?limit=50&missionId=web%3A12'
  routes[route] = () => ({ executionRequests: runs })
}

function serveLog(last: string, text: string): void {
  const log = `GET /api/execution-requests/${id(last)}/log?offset=`
  routes[`${log}0`] = () => Buffer.from(text)
  routes[`${log}${text.length}`] = () => Buffer.from('')
}

describe('a mission stands for its objective', () => {
  test('in svc logs, where one of it was launched', async () => {
    serve([one, other], [runOf(one, '51')])
    serveLog('51', 'hello\n')
    expect(await svc('logs', 'web:12')).toMatchObject({ code: 0, stdout: 'hello\n' })
  })

  test('in svc logs, where several were and one of them runs', async () => {
    serve([one, { ...other, state: 'executing' }], [runOf(one, '51'), runOf(other, '52')])
    serveLog('52', 'at work\n')
    expect(await svc('logs', 'web:12')).toMatchObject({ code: 0, stdout: 'at work\n' })
  })

  test('not where several can be meant: they are named', async () => {
    serve([one, other], [runOf(one, '51'), runOf(other, '52')])
    expect(await svc('logs', 'web:12')).toEqual({
      code: 5,
      stdout: '',
      stderr:
        'ambiguous_objective: More than one objective of web:12 was launched: name one of web:12.aaaa, web:12.bbbb.\n',
    })
    serve(
      [
        { ...one, state: 'executing' },
        { ...other, state: 'launching' },
      ],
      [],
    )
    expect(await svc('cancel', 'web:12')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^ambiguous_objective: .*web:12.aaaa, web:12.bbbb/),
    })
  })

  test('in svc cancel, where one of it is worked on', async () => {
    const running = { ...one, state: 'executing' }
    serve([running, other], [])
    routes['POST /api/objectives/web%3A12.aaaa/cancel'] = () => ({
      executionRequest: null,
      objective: one,
      alreadyFinished: false,
    })
    expect(await svc('cancel', 'web:12')).toMatchObject({ code: 0 })
    serve([one, other], [])
    expect(await svc('cancel', 'web:12')).toMatchObject({
      code: 4,
      stderr: 'not_found: Nothing in web:12 is worked on: see svc missions show web:12.\n',
    })
  })
})
