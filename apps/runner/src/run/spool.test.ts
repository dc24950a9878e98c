import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@svc/testing/temporary'
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
