import type { Command } from 'commander'
import { forgetRun } from '@svc/runner/daemon/forget-run'
import { readBootId } from '@svc/runner/daemon/machine'
import type { Home } from '@svc/runner/files/home'
import { listUnfinishedRuns, requestOf } from '@svc/runner/run/run-folder'
import { findSupervisor } from '@svc/runner/run/supervision'
import { type Cli, print } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'
import { type HomeOption, runnerHomeOf } from '../runner-home.ts'

/** `svc runner forget`; the option that names the home is added by who defines it. */
export function defineForget(command: Command, cli: Cli): void {
  command
    .description('let go of runs that are not over here: nothing more of them is reported')
    .argument('<run...>', 'their UUIDs, as svc runner status shows them')
    .addHelpText('after', help)
    .action((runs: string[], options: HomeOption) => forget(cli, runs, options))
}

const help = `
For runs of a login that nobody has here any more: a runner leaves those alone that it did not claim for who is signed in. What
they have not yet reported, such as a delivery, is lost, and their service takes them for lost. Commits and files in their
worktrees stay.

Examples:
  svc runner forget 0198c2a4-0000-7000-8000-000000000001`

async function forget(cli: Cli, ids: readonly string[], { runnerHome }: HomeOption): Promise<void> {
  const home = await runnerHomeOf(cli, runnerHome)
  const folders = ids.flatMap((id) => requireUnfinished(home, id))
  const bootId = readBootId()
  for (const folder of folders) await forgetRun(folder, bootId)
  const forgotten = [...new Set(ids)]
  await print(cli, { forgotten }, () =>
    forgotten.map((id) => `let go of ${id}: nothing more of it is reported`).join('\n'),
  )
}

function requireUnfinished(home: Home, id: string): string[] {
  const folders = listUnfinishedRuns(home)
    .map(({ folder }) => folder)
    .filter((folder) => requestOf(folder) === id)
  if (folders.length === 0) {
    const message = `No run ${id} waits in ${home.folder} for its end: see svc runner status.`
    throw new CommandFailure('not_found', message, exitCode.notFound)
  }
  if (folders.some((folder) => findSupervisor(folder) !== undefined)) {
    const message = `Run ${id} is at work, and reports its end itself: svc cancel ends it.`
    throw new CommandFailure('run_at_work', message, exitCode.conflict)
  }
  return folders
}
