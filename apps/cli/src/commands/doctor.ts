import type { Client } from '@svc/client/client'
import type { Home } from '@svc/runner/files/home'
import type { Command } from 'commander'
import { type Cli, credentialsOf, openClient, print } from '../cli.ts'
import { type Check, looked } from '../doctor/check.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'
import { paint } from '../output/terminal.ts'
import { homeOption, runnerHomeOf } from '../runner-home.ts'

export function define(command: Command, cli: Cli): void {
  command
    .option(...homeOption)
    .addHelpText(
      'after',
      '\nLooks at the runner of this machine, its agents, checkouts and worktrees, and at the service. Nothing is changed. Each line is ok, warn or fail, with the command that repairs it; exits 1 when one fails.\n\nExamples:\n  svc doctor\n  svc doctor --json',
    )
    .action((options: { runnerHome?: string }) => doctor(cli, options))
}

async function doctor(cli: Cli, { runnerHome }: { runnerHome?: string }): Promise<void> {
  const home = await runnerHomeOf(cli, runnerHome)
  const { checkMachine } = await import('../doctor/machine.ts')
  const { checkCheckouts } = await import('../doctor/checkouts.ts')
  const machine = checkMachine(home, cli.env)
  const service = await checkReach(cli)
  const isReached = service.every(({ state }) => state !== 'fail')
  const client = isReached ? await openClient(cli) : undefined
  const checkouts = await looked('checkouts', () => checkCheckouts(home, client))
  const trusted = client ? await trustedBy(cli, client, home) : []
  const checks = [...service, ...(await machine), ...checkouts, ...trusted]
  await print(cli, { checks }, () => describe(cli, checks))
  const failed = checks.filter(({ state }) => state === 'fail').length
  if (failed === 0) return
  const message = `${failed} of ${checks.length} checks failed: do what their lines say.`
  throw new CommandFailure('unhealthy', message, exitCode.unexpected)
}

async function trustedBy(cli: Cli, client: Client, home: Home): Promise<Check[]> {
  const { baseUrl } = await credentialsOf(cli)
  const { checkTrusted } = await import('../doctor/trusted.ts')
  return looked('launch settings', () => checkTrusted(home, client, baseUrl))
}

/** The credential is not looked at before the service answers. */
async function checkReach(cli: Cli): Promise<Check[]> {
  return await looked('credential', async () => {
    const credentials = await credentialsOf(cli)
    const { checkCredential, checkService } = await import('../doctor/service.ts')
    const { startOf } = await import('../output/start-again.ts')
    const service = await checkService(cli, credentials, startOf(cli, credentials))
    if (service.some(({ state }) => state === 'fail')) return service
    const client = await openClient(cli)
    const credential = await looked('credential', () => checkCredential(client, credentials))
    return [...service, ...credential]
  })
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const

async function describe({ stdout }: Cli, checks: readonly Check[]): Promise<string> {
  const { table } = await import('../output/table.ts')
  const rows = checks.map(({ state, what, told, fix }) => [
    state,
    what,
    fix === undefined ? told : `${told}: ${fix}`,
  ])
  const [head = '', ...lines] = table(['', 'CHECK', 'TOLD'], rows, stdout).split('\n')
  const painted = checks.map(({ state }, index) => {
    const line = lines[index] ?? ''
    return `${paint(colours[state], line.slice(0, state.length), stdout)}${line.slice(state.length)}`
  })
  return [head, ...painted].join('\n')
}
