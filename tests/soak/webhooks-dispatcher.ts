/** A dispatcher as a process of its own, with leases short enough to watch them lapse. */
import { DispatcherEnvironment } from '@svc/dispatcher/env'
import { openDispatcher } from '@svc/dispatcher/server'
import { readEnvironment } from '@svc/process/env'
import { run } from '@svc/process/run'

export const shortLease = { attemptMs: 1_500, leaseSeconds: 5, superviseSeconds: 1 }

if (import.meta.main) {
  run('dispatcher', async ({ log, open }) => {
    const environment = readEnvironment(DispatcherEnvironment, process.env)
    await open(() => openDispatcher({ environment, log, timing: shortLease }))
  })
}
