import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@svc/testing/temporary'
import { spoolLimits } from '../files/spooled-call.ts'
import { openContractService } from '../testing/contract-service.ts'
import { sendSpool } from './spool.ts'
import { paceFor } from './until-reached.ts'

test('a file of the agent that is no call is reported and keeps nothing waiting', async () => {
  using folder = temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  execFileSync('mkfifo', [at('1.json')])
  symlinkSync('/dev/zero', at('2.json'))
  mkdirSync(at('3.json'))
  writeFileSync(at('4.json'), '')
  truncateSync(at('4.json'), 16 * 1024 * 1024 + 1)
  writeFileSync(at('5.json'), '')
  const reported: string[] = []
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: 'none' })
  const persistence = { signal: AbortSignal.abort(), pace: paceFor(1) }
  const isHeard = async () => true
  const notSent = (what: string) => void reported.push(what)
  await sendSpool(folder.path, { client, persistence, isHeard, notSent })
  expect(reported).toEqual(['1.json', '2.json', '3.json', '4.json', '5.json'])
})

function update(text: string, idempotencyKey = `key-${text}`): string {
  const at = '2026-11-01T10:00:00Z'
  return JSON.stringify({ operation: 'update', input: { text }, idempotencyKey, at })
}

test.each(['a\nb', 'two words', '', 'x'.repeat(256)])(
  'a kept call with a key that the service would not take is reported and not sent: %j',
  async (key) => {
    using folder = temporaryFolder()
    await using service = await openContractService()
    writeFileSync(join(folder.path, '0001.json'), update('bad', key))
    writeFileSync(join(folder.path, '0002.json'), update('good'))
    const reported: string[] = []
    await sendSpool(folder.path, {
      client: createClient({ baseUrl: service.url, token: 'none' }),
      persistence: { signal: new AbortController().signal, pace: paceFor(1) },
      isHeard: async () => true,
      notSent: (what) => void reported.push(what),
    })
    expect(reported).toEqual(['0001.json'])
    expect(service.received.map(({ body }) => body['text'])).toEqual(['good'])
    expect(readdirSync(folder.path)).toEqual(['0001.json'])
  },
)

test('of more calls than are kept, or larger ones, those within the limits are sent', async () => {
  using folder = temporaryFolder()
  await using service = await openContractService()
  const names = Array.from({ length: spoolLimits.files + 3 }, (_, at) => `${1000 + at}.json`)
  for (const name of names) writeFileSync(join(folder.path, name), update(name))
  const [, second = '', third = ''] = names
  // spaces at the end of JSON say nothing
  const half = spoolLimits.bytes / 2
  for (const name of [second, third]) {
    writeFileSync(join(folder.path, name), update(name).padEnd(half))
  }
  const reported: [string, string][] = []
  await sendSpool(folder.path, {
    client: createClient({ baseUrl: service.url, token: 'none' }),
    persistence: { signal: new AbortController().signal, pace: paceFor(1) },
    isHeard: async () => true,
    notSent: (what, error) => void reported.push([what, String(error)]),
  })
  const sent = names.slice(0, spoolLimits.files).filter((name) => name !== third)
  expect(service.received.map(({ body }) => body['text'])).toEqual(sent)
  expect(reported).toEqual([
    [third, expect.stringContaining('is larger than')],
    ['1100.json', expect.stringContaining('it and 2 after it')],
  ])
  expect(readdirSync(folder.path).toSorted()).toEqual([third, ...names.slice(spoolLimits.files)])
})

test('what an agent with a token of its own leaves behind is sent of its own work alone', async () => {
  using folder = temporaryFolder()
  await using service = await openContractService()
  const [own, other] = [randomUUID(), randomUUID()]
  const only = {
    missions: [own, 'web:7'],
    objectives: ['0198c2a4-0000-7000-8000-000000000001', 'web:7.abcd'],
  } as const
  const summary = 'done'
  const calls: [string, Record<string, unknown>][] = [
    ['record-work', { objectiveId: 'web:13.abcd', summary }],
    ['deliver', { sessionKey: 'web:13.abcd', summary }],
    ['deliver', { objectiveId: 'web:7.abcd', missionId: other, summary }],
    ['record-work', { missionId: 'web:7', title: 'Hotfix', summary }],
    ['update', { missionId: 'web:7', summary: 'of the mission' }],
    ['add-artifact', { missionId: own, type: 'note', label: 'Notes', contentText: 'x' }],
    ['record-work', { objectiveId: 'web:7.abcd', summary: 'of its own' }],
    ['deliver', { sessionKey: 'a key that it was given', summary: 'by its key' }],
  ]
  for (const [index, [operation, input]] of calls.entries()) {
    const call = { operation, input, idempotencyKey: `k-${index}`, at: '2026-11-01T10:00:00Z' }
    writeFileSync(join(folder.path, `${index}.json`), JSON.stringify(call))
  }
  const refused: string[] = []
  await sendSpool(folder.path, {
    client: createClient({ baseUrl: service.url, token: 'none' }),
    persistence: { signal: new AbortController().signal, pace: paceFor(1) },
    only,
    isHeard: async () => true,
    notSent: (what) => refused.push(what),
  })
  expect(refused).toEqual(['record-work', 'deliver', 'deliver', 'record-work'])
  expect(service.received.map(({ route, body }) => [route, body])).toMatchObject([
    ['update', { missionId: 'web:7', objectiveId: only.objectives[0] }],
    ['add-artifact', { missionId: own }],
    ['record-work', { objectiveId: 'web:7.abcd' }],
    ['deliver', { summary: 'by its key' }],
  ])
  expect(readdirSync(folder.path)).toEqual([])
})
