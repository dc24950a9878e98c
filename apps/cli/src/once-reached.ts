import { sleep, waitMs } from '@svc/client/retry'
import { type Cli, say } from './cli.ts'
import { isUnreachable } from './output/failure.ts'

const pace = { attempts: 1, firstMs: 1_000, mostMs: 15_000 }

/**
 * A machine and the service may start at the same time: what is to stay up waits, and says that it does. What is done
 * `once` fails, and so does a wait whose parent has gone.
 */
export async function onceReached<T>(cli: Cli, once: boolean, work: () => Promise<T>): Promise<T> {
  const parent = process.ppid
  const isOrphan = () => cli.env['SVC_PARENT_WATCH'] === '1' && process.ppid !== parent
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (once || !mayPass(error) || isOrphan()) throw error
      if (failures === 1) {
        say(cli, `${error.message} It is tried until it answers; Ctrl-C ends that.`)
      }
    }
    await sleep(waitMs(failures, pace, null))
  }
}

function mayPass(error: unknown): error is Error {
  return isUnreachable(error) && 'mayPass' in error && error.mayPass === true
}
