import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Fault } from '../fault.ts'
import type { Reporter } from '../reporter.ts'
import { createRestartBudget } from '../restart-budget.ts'

export interface ProcessOptions {
  /** What it is called to the person. */
  name: string
  program: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** What it writes is added to this file. */
  logFile: string
  reporter: Reporter
}

export interface KeptProcess extends AsyncDisposable {
  readonly name: string
  readonly pid: number | undefined
}

const retryMs = 500

/** Started again whenever it ends, as `restart: unless-stopped` has it. Disposing tells it to end, and waits. */
export function keepProcess(options: ProcessOptions): KeptProcess {
  const { name, logFile, reporter } = options
  const budget = createRestartBudget()
  const stopping = new AbortController()
  let child = start(options)

  async function watch(): Promise<void> {
    for (;;) {
      await ended(child)
      if (stopping.signal.aborted) return
      reporter.notice(`${name} has ended; it is started again`)
      if (!budget.take()) throw new Fault(`${name} ends again and again; see ${logFile}.`)
      await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      child = start(options)
    }
  }
  const watching = watch().catch((error: unknown) => reporter.fatal(error))

  return {
    name,
    get pid() {
      return child.pid
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      child.kill('SIGTERM')
      await watching
    },
  }
}

function start({ program, args, env, logFile }: ProcessOptions): ChildProcess {
  const log = openSync(logFile, 'a', 0o600)
  try {
    // a Ctrl-C at the terminal reaches whoever started it, who then ends it in its own order
    return spawn(program, args, { env, stdio: ['ignore', log, log], detached: true })
  } finally {
    closeSync(log)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
