import { randomUUID } from 'node:crypto'
import type { Rights } from '@svc/contracts/rights'
import type { AgentToken } from '@svc/runner/daemon/agent-token'
import { type Daemon, startDaemon } from '@svc/runner/daemon/daemon'
import { DaemonError } from '@svc/runner/daemon/daemon-error'
import { type Cli, credentialsOf, say } from './cli.ts'
import { type ExitCode, exitCode } from './output/exit-codes.ts'
import { CommandFailure } from './output/failure.ts'
import { warnOfOtherVersion } from './output/other-version.ts'
import { onceReached } from './once-reached.ts'
import { runnerHomeOf } from './runner-home.ts'
import { runnerToken } from './runner-token.ts'
import { oneLine } from './output/terminal.ts'

export interface DaemonChoices {
  runnerHome?: string
  label?: string | undefined
  max?: number | undefined
  projects?: string[]
  agents?: string[]
  agentToken?: AgentToken
  maxRights?: Rights
  once: boolean
  /** The machine is gone after it. */
  ephemeral: boolean
  /** SIGTERM ends this process alone. */
  leaveRuns: boolean
}

/** A key press reaches a process more than once: through its group, npm and the start script. */
const samePressMs = 1_000
const parentWatchMs = 500

/** Runs the daemon in this process until it was drained, or `once` is done. */
export async function runDaemon(cli: Cli, choices: DaemonChoices): Promise<void> {
  const { runnerHome, label, max, projects, agents, maxRights, once, ephemeral } = choices
  // one that was set there is handed down as it is. decision 43
  const { agentToken = cli.env['SVC_USER_TOKEN'] ? 'own' : 'minted' } = choices
  const home = await runnerHomeOf(cli, runnerHome)
  const credentials = await credentialsOf(cli)
  const idempotencyKey = randomUUID()
  const askForToken = () => runnerToken(home, credentials, idempotencyKey)
  // nothing is made for a token that is given: whose it is can be asked once its service is there
  const fails = once && !credentials.isFromEnvironment
  const { token, person, next } = await onceReached(cli, fails, askForToken)
  try {
    await using daemon = await startDaemon({
      home: home.folder,
      service: { baseUrl: credentials.baseUrl, token, person },
      agentToken,
      maxRights,
      cliEntry: cli.main,
      env: cli.env,
      log: { info: logTo(cli, ''), warn: logTo(cli, 'warning: ') },
      onOtherVersion: (served) => warnOfOtherVersion(cli, served),
      once,
      takesNone: next !== undefined,
      ephemeral,
      label,
      max,
      ...(projects !== undefined && { projects }),
      ...(agents !== undefined && { agents }),
    })
    const where = person === undefined ? '' : `, workspace ${person.workspace}`
    say(cli, `The runner works for ${credentials.baseUrl}${where}; its folder is ${home.folder}.`)
    if (next !== undefined) {
      say(
        cli,
        `Runs of ${person?.workspace} are not over here. The runner takes no others, and ends with them; started again it works for ${next}.`,
      )
    }
    using _ = followSignals(cli, daemon, choices.leaveRuns)
    await daemon.done
    // a failure, so that what keeps the runner alive starts it again
    if (next !== undefined) {
      throw new CommandFailure(
        'other_workspace',
        `The runs of ${person?.workspace} are over. Start the runner again: it works for ${next} now.`,
        exitCode.unexpected,
      )
    }
  } catch (error) {
    throw isDaemonError(error) ? toFailure(error) : error
  }
}

/** First drain, then end the runs, then go at once and leave the runs alone. SIGQUIT ends the runs, a second kills them. */
function followSignals(cli: Cli, daemon: Daemon, leaveRuns: boolean): Disposable {
  let count = 0
  let last = -Infinity
  const stop = (signal: NodeJS.Signals) => {
    if (leaveRuns && signal === 'SIGTERM') return go(signal)
    if (performance.now() - last < samePressMs) return
    last = performance.now()
    count += 1
    if (count === 1) {
      say(cli, 'The runner takes no more work and waits for its runs; once more ends them.')
      daemon.drain()
    } else if (count === 2) {
      say(cli, 'The runs are being ended; once more leaves them and goes.')
      daemon.endRuns()
    } else {
      go(signal)
    }
  }
  const reload = () =>
    void daemon.reload().catch((error: unknown) => say(cli, oneLine(String(error))))
  let isEnding = false
  const endAtOnce = () => {
    count = 2
    if (isEnding) void daemon.killRuns().finally(() => go('SIGTERM'))
    else daemon.endRuns()
    isEnding = true
  }
  const go = (signal: NodeJS.Signals) => {
    stopListening()
    process.kill(process.pid, signal)
  }
  const parent = watchParent(cli, () => go('SIGTERM'))
  const stopListening = () => {
    clearInterval(parent)
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', reload).off('SIGQUIT', endAtOnce)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', reload).on('SIGQUIT', endAtOnce)
  return { [Symbol.dispose]: stopListening }
}

/** Whoever started this daemon was killed: it goes at once and leaves its runs to the next one. */
function watchParent(cli: Cli, onGone: () => void): NodeJS.Timeout | undefined {
  if (cli.env['SVC_PARENT_WATCH'] !== '1') return undefined
  const parent = process.ppid
  return setInterval(() => {
    if (process.ppid !== parent) onGone()
  }, parentWatchMs)
}

function logTo(cli: Cli, prefix: string) {
  return (facts: object, message: string) => {
    const details = Object.entries(facts).map(([name, value]) => `${name}=${String(value)}`)
    say(cli, oneLine(`${prefix}${[message, ...details].join(' ')}`))
  }
}

function isDaemonError(error: unknown): error is DaemonError {
  return error instanceof DaemonError
}

function toFailure(error: DaemonError): CommandFailure {
  const known = Object.values(exitCode).find((code) => code === error.exitCode)
  const code: ExitCode = known ?? exitCode.unexpected
  return new CommandFailure('runner_stopped', error.message, code, { cause: error })
}
