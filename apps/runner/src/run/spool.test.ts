import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@svc/testing/temporary'
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
  await sendSpool(folder.path, client, persistence, (what) => reported.push(what))
  expect(reported).toEqual(['1.json', '2.json', '3.json', '4.json', '5.json'])
})
