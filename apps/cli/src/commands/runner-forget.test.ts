import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBootId } from '@svc/runner/daemon/machine'
import { openHome } from '@svc/runner/files/home'
import { isDone, readJournal } from '@svc/runner/run/journal'
import { takeRun } from '@svc/runner/run/supervision'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { runInTest } from '../testing/cli.ts'

const request = '0198c0de-0000-7000-8000-000000000001'
let folder: string
let run: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-forget-'))
  run = join(openHome(folder).runs, `${request}.1`)
  mkdirSync(run)
  const claimed = { step: 'claimed', requestId: request, generation: 1, bootId: readBootId() }
  writeFileSync(join(run, 'journal.ndjson'), `${JSON.stringify(claimed)}\n`)
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Without a service: it may be there no more. */
const forget = () => runInTest({}, 'runner', 'forget', request, '--runner-home', folder)

test('a run that is let go of is over here, and nothing of it is left running', async () => {
  const env = { ...process.env, SVC_EXECUTION_REQUEST_ID: request, SVC_EXECUTION_GENERATION: '1' }
  const agent = spawn('sleep', ['600'], { env, stdio: 'ignore' })
  const ended = once(agent, 'exit')
  onTestFinished(() => void agent.kill('SIGKILL'))
  const { code, stdout } = await forget()
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(request) })
  await ended
  expect(isDone(readJournal(run))).toBe(true)
  expect(existsSync(run)).toBe(true)
  // there is nothing more to let go of
  expect(await forget()).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('runner status'),
  })
})

test('a run that is at work is not let go of', async () => {
  expect(takeRun(run)).toBe(true)
  expect(await forget()).toMatchObject({ code: 5, stderr: expect.stringContaining('svc cancel') })
  expect(isDone(readJournal(run))).toBe(false)
})
