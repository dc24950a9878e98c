import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'
import { shellWord } from '@svc/contracts/shell-words'
import { oneLine } from '../output/terminal.ts'
import type { ManagedState, Manager, Step } from './manager.ts'

const answerMs = 60_000

export function lineOf({ words }: Step): string {
  return words.map(shellWord).join(' ')
}

/** What a person has left to do, by the steps that failed without ending everything. */
export async function takeSteps(env: NodeJS.ProcessEnv, steps: readonly Step[]): Promise<string[]> {
  const left: string[] = []
  for (const step of steps) {
    const { code, output } = await call(env, step.words)
    if (code === 0) continue
    if (step.otherwise === undefined) throw notDone(step, output)
    if (step.otherwise !== '') left.push(step.otherwise)
  }
  return left
}

export async function askManager(env: NodeJS.ProcessEnv, manager: Manager): Promise<ManagedState> {
  return manager.read(await call(env, manager.asks))
}

function notDone(step: Step, output: string): CommandFailure {
  const why = oneLine(output.trim()) || 'it says nothing'
  const text = `${lineOf(step)} failed: ${why}. Sign in as this user without su or sudo, where a service manager runs, and try again; or have something else keep svc runner start running.`
  return new CommandFailure('not_managed', text, exitCode.unexpected)
}

/** The user's instance of systemd is found by a variable that a shell of cron or su does not have. */
function call(
  env: NodeJS.ProcessEnv,
  [program, ...args]: Step['words'],
): Promise<{ code: number; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>()
  const runtime = { XDG_RUNTIME_DIR: `/run/user/${userInfo().uid}`, ...env }
  const options = { env: runtime, timeout: answerMs, encoding: 'utf8' } as const
  const child = execFile(program, args, options, (error, stdout, stderr) => {
    const code = error === null ? 0 : (child.exitCode ?? 1)
    resolve({ code, output: `${stdout}${stderr}` || (error?.message ?? '') })
  })
  return promise
}
