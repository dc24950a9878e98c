import { once } from 'node:events'
import { expect, test } from 'vitest'
import { markedProcesses } from '../processes/find-processes.ts'
import { findStep, readJournal } from '../run/journal.ts'
import { openRunnerWorld, testToken } from '../testing/runner-world.ts'
import { recoverRun } from './recover.ts'

test('a run without daemon and supervisor is taken to its end: its agent is ended, and the end is reported', async () => {
  await using world = await openRunnerWorld('sleep 60')
  const { executionRequest } = world.queue()
  const daemon = world.startProcess()
  const folder = await world.reached('spawned')
  await world.service.called('reportLaunched')
  daemon.kill('SIGKILL')
  await once(daemon, 'exit')
  const steps = readJournal(folder)
  const supervisor = findStep(steps, 'supervisor')
  if (!supervisor) throw new Error('what has spawned an agent is a supervisor')
  process.kill(supervisor.pid, 'SIGKILL')
  const log = { info: () => undefined, warn: () => undefined }
  const bootId = findStep(steps, 'claimed')?.bootId ?? ''
  const env = { ...process.env, SVC_USER_TOKEN: testToken }

  await recoverRun(folder, { bootId, env, log }, new AbortController().signal)

  const reports = world.service.calls('reportExited').map(({ body }) => body)
  expect(reports).toMatchObject([{ cause: 'supervisor_lost', exitCode: null }])
  expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).toEqual([])
  expect(findStep(readJournal(folder), 'cleaned')).toBeDefined()
})
