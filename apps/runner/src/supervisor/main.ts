import { readProcess } from '@svc/process/process-identity'
import { openRun } from '../run/run.ts'
import { createRunLog } from '../run/run-log.ts'
import { supervise } from './supervise.ts'

const folder = process.argv[2]
if (folder === undefined) throw new Error('name the run folder')

const log = createRunLog()
const listeners: (() => void)[] = []
const terminate = () => listeners.forEach((listener) => listener())
process.on('SIGTERM', terminate)
// A Ctrl-C in the terminal of the daemon is the daemon's to act on.
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)

const run = openRun(folder, process.env, log)
const identity = readProcess(process.pid)
run.record({ step: 'supervisor', pid: process.pid, pidStartedAt: identity?.startedAt ?? '' })

await supervise(run, (listener) => listeners.push(listener))
