import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { serverOnlyVariables } from '@svc/contracts/launch-environment'
import type { Running } from '@svc/process/run'
import { daemonExitCode } from '@svc/runner/daemon/daemon-error'
import { checkout, type DataFolder } from './data-folder.ts'
import { Fault } from './fault.ts'
import { createRestartBudget } from './restart-budget.ts'
import type { Reporter } from './reporter.ts'

export interface RunnerOptions {
  data: DataFolder
  baseUrl: string
  token: string
  /** Another one, where somebody has ended it, as by a reset of the owner's account. */
  renewToken: () => Promise<string>
  running: Pick<Running, 'onSecondSignal'>
  reporter: Reporter
}

export interface KeptRunner extends AsyncDisposable {
  readonly pid: number | undefined
}

const stopMs = 40_000
const endMs = 5_000
const askAgainMs = 100
const retryMs = 500

const cli = fileURLToPath(import.meta.resolve('@svc/cli/main'))

/** The runner's daemon as a process of its own, started again whenever it dies. Its live runs go on meanwhile. */
export async function keepRunner(options: RunnerOptions): Promise<KeptRunner> {
  const { reporter, data, running } = options
  const budget = createRestartBudget()
  let { token } = options
  let daemon = startDaemon(options, token)
  let stopping = false

  const watch = async () => {
    for (;;) {
      const code = await ended(daemon)
      if (stopping) return
      // the daemon of an app that was killed leaves the home within a second
      if (code !== daemonExitCode.notPossible)
        reporter.notice('The runner has ended; it is started again')
      if (!budget.take()) {
        throw new Fault(`The runner ends again and again; see ${data.runnerLogFile}.`)
      }
      await delay(retryMs)
      if (stopping) return
      if (code === daemonExitCode.credential) token = await options.renewToken()
      daemon = startDaemon(options, token)
    }
  }
  const watching = watch().catch((error: unknown) => reporter.fatal(error))
  running.onSecondSignal(() => {
    stopping = true
    return endDaemon(daemon)
  })

  return {
    get pid() {
      return daemon.pid
    },
    async [Symbol.asyncDispose]() {
      stopping = true
      await stopDaemon(daemon, reporter)
      await watching
    },
  }
}

function startDaemon({ data, baseUrl }: RunnerOptions, token: string): ChildProcess {
  const log = fs.openSync(data.runnerLogFile, 'a', 0o600)
  try {
    return spawn(process.execPath, [cli, 'runner', 'start', '--agent-token', 'minted'], {
      cwd: data.path,
      env: {
        ...runnerEnvironment(),
        SVC_BACKEND_URL: baseUrl,
        SVC_USER_TOKEN: token,
        SVC_RUNNER_HOME: data.runnerHome,
        SVC_SCRIPTED_AGENT: fileURLToPath(import.meta.resolve('@svc/scripted-agent/main')),
        SVC_PARENT_WATCH: '1',
      },
      stdio: ['ignore', log, log],
      // a Ctrl-C at the terminal reaches this app, which then ends the daemon in its own order
      detached: true,
    })
  } finally {
    fs.closeSync(log)
  }
}

/** What belongs to the servers never reaches a runner, and so no agent. */
export function runnerEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = { ...env, INIT_CWD: checkout }
  for (const name of serverOnlyVariables) delete kept[name]
  return kept
}

async function ended(daemon: ChildProcess): Promise<number | null> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return daemon.exitCode
  // what Node says of this event
  const [code] = (await once(daemon, 'exit')) as [number | null]
  return code
}

/** SIGQUIT: no more claims, and every run is ended and reported. */
async function stopDaemon(daemon: ChildProcess, reporter: Reporter): Promise<void> {
  daemon.kill('SIGQUIT')
  const over = new AbortController()
  const late = delay(stopMs, true, { signal: over.signal }).catch(() => false)
  if ((await Promise.race([ended(daemon).then(() => false), late])) === true) {
    reporter.notice('The runner did not end in time: its runs are killed')
    await endDaemon(daemon)
  }
  over.abort()
}

/** One SIGQUIT more than `stopDaemon` sends kills the runs. Asked until it is heard: two at once count as one. */
async function endDaemon(daemon: ChildProcess): Promise<void> {
  const over = ended(daemon).then(() => true)
  const until = performance.now() + endMs
  do daemon.kill('SIGQUIT')
  while (!(await Promise.race([over, delay(askAgainMs, false)])) && performance.now() < until)
  daemon.kill('SIGKILL')
  await over
}
