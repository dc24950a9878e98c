import { createHmac } from 'node:crypto'
import { createTestDatabase } from '@svc/testing/database'
import { openReceiver } from '@svc/testing/receiver'
import { expect, test } from 'vitest'
import { createClient } from '@svc/client/client'
import { programs } from './support/programs.ts'
import { startNode } from './support/processes.ts'
import { openService } from './support/service.ts'
import { until } from './support/until.ts'

test('events reach a receiver without a public address, also after a restart of the API, until Ctrl-C', async () => {
  await using database = await createTestDatabase()
  await using service = await openService(database.connectionString)
  await using receiver = await openReceiver()
  const token = await service.token({ role: 'owner' })
  const client = createClient({ baseUrl: service.baseUrl, token })
  const { project } = await client.call('createProject', { name: 'Web' })
  const { statuses } = await client.call('listProjectStatuses', { id: project.id })
  const moveOne = async (title: string) => {
    const { mission } = await client.call('createMission', { projectId: project.id, title })
    const other = statuses.find((status) => status.id !== mission.status.id)
    await client.call('moveMission', { id: mission.id, statusId: other?.id ?? '' })
  }
  const env = { SVC_BACKEND_URL: service.baseUrl, SVC_USER_TOKEN: token, HOME: '/nonexistent' }
  const words = ['webhooks', 'listen', '--forward-to', receiver.url, '--json']
  const listening = startNode(programs.svc, words, { env })
  const lines = () =>
    listening
      .stdout()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, string>)
  await until('it listens', () => lines().length === 1, { details: listening.output })
  const secret = lines()[0]?.['secret'] ?? ''

  receiver.answer(500)
  await moveOne('refused')
  await until('the first event has been posted', () => lines().length === 2, {
    details: listening.output,
  })
  expect(lines()[1]).toMatchObject({ outcome: 'failed', status: 500, answer: 'noted' })
  receiver.answer(204)
  await moveOne('taken')
  await until('the second event has been posted', () => lines().length === 3, {
    details: listening.output,
  })
  expect(lines()[2]).toMatchObject({ outcome: 'delivered', status: 204 })

  await service.api().killNow()
  await service.start()
  await moveOne('after the restart')
  await until('the third event has been posted', () => lines().length === 4, {
    details: listening.output,
  })
  expect(receiver.posts).toHaveLength(3)
  for (const { headers, raw, body } of receiver.posts) {
    const [, at = '', given] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-svc-signature'])) ?? []
    expect(given).toBe(createHmac('sha256', secret).update(`${at}.`).update(raw).digest('hex'))
    expect(headers['x-svc-delivery']).toBe(body.id)
  }

  listening.kill('SIGINT')
  expect(await listening.ended).toEqual({ code: 0, signal: null })
})
