/** A daemon as a process of its own, for tests that kill it. */
import { startDaemon } from '../daemon/daemon.ts'
import { defaultHome } from '../files/home.ts'
import { createRunLog } from '../run/run-log.ts'

const { SVC_BACKEND_URL: baseUrl = '', SVC_USER_TOKEN: token = '' } = process.env
const daemon = await startDaemon({
  home: defaultHome(process.env),
  service: { baseUrl, token },
  log: createRunLog(),
})
await daemon.done
