import { expect, test } from 'vitest'
import { openHome } from '../files/home.ts'
import { temporaryFolder } from '@svc/testing/temporary'
import { startDaemon } from './daemon.ts'
import { daemonExitCode } from './daemon-error.ts'
import { findDaemon } from './home-lock.ts'
import { maxRightsFrom } from './max-rights.ts'

test('a runner has no bound until one is set', () => {
  expect(maxRightsFrom({})).toBe('all')
  expect(maxRightsFrom({ SVC_RUNNER_MAX_RIGHTS: '' })).toBe('all')
  expect(maxRightsFrom({ SVC_RUNNER_MAX_RIGHTS: 'edit' })).toBe('edit')
})

test('a bound that cannot be read keeps the runner from starting, and its folder stays free', async () => {
  using folder = temporaryFolder()
  const log = { info: () => undefined, warn: () => undefined }
  const started = startDaemon({
    home: folder.path,
    service: { baseUrl: 'http://127.0.0.1:1', token: 'none' },
    env: { SVC_RUNNER_MAX_RIGHTS: 'Edit' },
    log,
  })
  await expect(started).rejects.toMatchObject({
    exitCode: daemonExitCode.configuration,
    message: expect.stringContaining('give read, edit, work, all'),
  })
  expect(findDaemon(openHome(folder.path))).toBeUndefined()
})
