import { z } from 'zod'
import { readEnvironment, variable } from '@svc/process/env'
import { run } from '@svc/process/run'
import { startDaemon } from './daemon/daemon.ts'
import { DaemonError } from './daemon/daemon-error.ts'
import { defaultHome } from './home.ts'

const Environment = z.object({
  SVC_BACKEND_URL: variable('SVC_BACKEND_URL'),
  SVC_USER_TOKEN: variable('SVC_USER_TOKEN'),
})

run('runner', async ({ log, open, onSecondSignal }) => {
  const env = readEnvironment(Environment, process.env)
  const service = { baseUrl: String(env.SVC_BACKEND_URL), token: String(env.SVC_USER_TOKEN) }
  try {
    const daemon = await open(() => startDaemon({ home: defaultHome(process.env), service, log }))
    onSecondSignal(daemon.endRuns)
    await daemon.done
    return 0
  } catch (error) {
    if (!(error instanceof DaemonError)) throw error
    log.fatal(error.message)
    return error.exitCode
  }
})
