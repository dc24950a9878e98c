import { flushCompileCache } from 'node:module'
import { ownIdentity } from '@svc/process/process-identity'
import { compileCache } from '../files/compile-cache.ts'
import { openRun } from '../run/run.ts'
import { createRunLog } from '../run/run-log.ts'
import { takeRun } from '../run/supervision.ts'
import { supervise } from './supervise.ts'

const folder = process.argv[2]
if (folder === undefined) throw new Error('name the run folder')

// Kept now and not at the end, which may be hours away. The agent has no part in it.
flushCompileCache()
if (process.env['NODE_COMPILE_CACHE'] === compileCache) delete process.env['NODE_COMPILE_CACHE']

const listeners: (() => void)[] = []
const terminate = () => listeners.forEach((listener) => listener())
process.on('SIGTERM', terminate)
// A Ctrl-C in the terminal of the daemon is the daemon's to act on.
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)

// Whoever sees the run taken may send SIGTERM: nothing is waited for until its listener is there.
if (takeRun(folder)) {
  const run = openRun(folder, process.env, createRunLog())
  const { pid, startedAt: pidStartedAt } = ownIdentity()
  run.record({ step: 'supervisor', pid, pidStartedAt })
  await supervise(run, (listener) => listeners.push(listener))
}
