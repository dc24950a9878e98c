import { describe, expect, test } from 'vitest'
import { id, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const page = `limit=2&cursor=${id('08')}`

describe('a list that comes in pages', () => {
  test.each([
    [['questions', 'list'], `/api/questions?${page}&status=open`, 'questions'],
    [['deliveries', 'list', 'web:12'], `/api/missions/web%3A12/deliveries?${page}`, 'deliveries'],
    [['artifacts', 'list', 'web:12'], `/api/missions/web%3A12/artifacts?${page}`, 'artifacts'],
    [['events', 'web:12'], `/api/missions/web%3A12/events?${page}`, 'events'],
    [
      ['webhooks', 'deliveries', id('01')],
      `/api/webhooks/${id('01')}/deliveries?${page}`,
      'deliveries',
    ],
    [['runs', 'list'], `/api/execution-requests?${page}`, 'executionRequests'],
    [['webhooks', 'list'], `/api/webhooks?${page}`, 'webhooks'],
  ])('svc %j goes on from a page, and says how it goes on', async (command, path, rows) => {
    routes[`GET ${path}`] = () => ({ [rows]: [], nextCursor: id('09') })
    const printed = await svc(...command, '--limit', '2', '--cursor', id('08'))
    expect(printed).toMatchObject({
      code: 0,
      stderr: `There are more: svc ${command.join(' ')} --limit 2 --cursor ${id('09')}\n`,
    })
  })
})
