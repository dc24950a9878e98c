import { describeLimit } from '@svc/contracts/agent-limit'
import type { Command } from 'commander'
import { endHold, readHolds } from '@svc/runner/files/holds'
import { type Cli, print } from '../cli.ts'
import { usageFailure } from '../output/failure.ts'
import { type HomeOption, homeOption, runnerHomeOf } from '../runner-home.ts'

export function defineAgents(runner: Command, cli: Cli): void {
  runner
    .command('agents')
    .description('agents that the runner of this machine does not offer for now')
    .addHelpText('after', '\nExamples:\n  svc runner agents retry')
    .command('retry')
    .description('offer an agent again now that its provider held back: you know that it works')
    .argument('[agent]', 'its key; every one that is held when left out')
    .option(...homeOption)
    .addHelpText('after', help)
    .action((agent: string | undefined, options: HomeOption) => retry(cli, agent, options))
}

const help = `
An agent is held when its quota is used up, when its provider takes no more calls, or when nobody is signed in to it. A runner
that runs offers it again within a second, and takes what waits for it; svc runner status shows what is held.

Examples:
  svc runner agents retry
  svc runner agents retry claude`

async function retry(cli: Cli, agent: string | undefined, options: HomeOption): Promise<void> {
  const home = await runnerHomeOf(cli, options.runnerHome)
  const holds = readHolds(home).filter(({ over }) => !over)
  const held = holds.filter((hold) => agent === undefined || hold.agent === agent)
  if (agent !== undefined && held.length === 0 && holds.length > 0) {
    const names = holds.map((hold) => hold.agent).join(', ')
    throw usageFailure(`${agent} is not held on this machine; held: ${names}.`)
  }
  for (const hold of held) endHold(home, hold, { byPerson: true })
  const retried = held.map((hold) => hold.agent)
  await print(cli, { retried }, () =>
    held.length === 0
      ? 'no agent is held on this machine'
      : held
          .map((one) => `${one.agent} is offered again (${describeLimit(one.reason)})`)
          .join('\n'),
  )
}
