/** A daemon as a process of its own, for tests that kill it. */
import { startDaemon } from '../daemon/daemon.ts'
import { defaultHome } from '../files/home.ts'
import { Person } from '../run/claimant.ts'
import { createRunLog } from '../run/run-log.ts'

const { SVC_BACKEND_URL: baseUrl = '', SVC_USER_TOKEN: token = '' } = process.env
const { TEST_PERSON: person } = process.env
const daemon = await startDaemon({
  home: defaultHome(process.env),
  service: { baseUrl, token, ...(person && { person: Person.parse(JSON.parse(person)) }) },
  log: createRunLog(),
})
await daemon.done
