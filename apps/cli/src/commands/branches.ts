import type { Client } from '@svc/client/client'
import type { MissionBranch } from '@svc/contracts/assigned-branches'
import { BranchName, isMissionDisplayId, isObjectiveDisplayId } from '@svc/contracts/ids'
import type { Home } from '@svc/runner/files/home'
import { whyKept } from '@svc/runner/git/kept-worktree'
import type { Command } from 'commander'
import { type Cli, openClient, print, printJson, say, write } from '../cli.ts'
import { type FoundBranch, findBranch, isUnmerged, whereIs } from '../branches/find-branch.ts'
import { byResource, readBranches } from '../branches/recorded.ts'
import { wordsOf } from '../branches/refuse.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, usageFailure } from '../output/failure.ts'
import { type PageOptions, cursorOption, limitOption, pageOf, sayMore } from '../output/more.ts'
import { oneLine } from '../output/terminal.ts'
import { type HomeOption, homeOption, runnerHomeOf } from '../runner-home.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc branches list web:12\n  svc branches remove web:12',
  )
  withHome(command.command('list'))
    .description('list the branches that missions have, and where each is')
    .argument('[mission]', 'display id or UUID; all missions when left out')
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nMerged or not is what is known here: nothing is fetched.\n\nExamples:\n  svc branches list\n  svc branches list web:12 --json',
    )
    .action((mission: string | undefined, options: PageOptions & HomeOption) =>
      list(cli, mission, options),
    )
  withHome(command.command('remove'))
    .description('remove merged branches of a mission from this machine, with their worktrees')
    .argument(
      '<recorded-branch>',
      'its name; or the display id of a mission or objective for all of its',
    )
    .option('--unmerged', 'also what is not merged: those that would be are listed first')
    .option('--yes', 'with --unmerged: you have seen the list')
    .addHelpText(
      'after',
      '\nOnly what runs have recorded is removed, never what is uncommitted or in use, and nothing at origin. Each removal says how to take it back.\n\nExamples:\n  svc branches remove web:12\n  svc branches remove dark-mode-12 --unmerged --yes',
    )
    .action((ref: string, options: RemoveOptions) => remove(cli, ref, options))
}

function withHome(command: Command): Command {
  return command.option(...homeOption)
}

async function list(
  cli: Cli,
  missionId: string | undefined,
  { runnerHome, ...page }: PageOptions & HomeOption,
): Promise<void> {
  const home = await runnerHomeOf(cli, runnerHome)
  const client = await openClient(cli)
  const answer = await client.call('listBranches', {
    ...pageOf(page),
    ...(missionId !== undefined && { missionId }),
  })
  const rows: Row[] = []
  for (const recorded of answer.branches.toSorted(byMission)) rows.push(await rowOf(home, recorded))
  await print(cli, { ...answer, branches: rows }, () => describe(cli, rows))
  sayMore(cli, answer)
}

/** The newest mission first, as they come. */
function byMission(one: MissionBranch, other: MissionBranch): number {
  return one.missionId === other.missionId ? byResource(one, other) : 0
}

type Row = Awaited<ReturnType<typeof rowOf>>

/** One repository that Git refuses hides none of the others. */
async function rowOf(home: Home, recorded: MissionBranch) {
  try {
    return await lookAt(home, recorded)
  } catch (error) {
    return {
      ...recorded,
      where: whyUnreadable(error),
      tip: null,
      atOrigin: null,
      state: 'unknown' as const,
      worktree: null,
      kept: null,
    }
  }
}

function whyUnreadable(error: unknown): string {
  return `Git does not say its state: ${wordsOf(error)}`
}

async function lookAt(home: Home, recorded: MissionBranch) {
  const found = await findBranch(home, recorded)
  const { worktree, isRunners, tip, origin, state } = found
  const kept = worktree && isRunners ? await whyKept(worktree, Date.now()) : undefined
  return {
    ...recorded,
    where: whereIs(found),
    tip: tip ?? null,
    atOrigin: origin ?? null,
    state,
    worktree: worktree?.path ?? null,
    kept: kept?.because ?? null,
  }
}

async function describe(cli: Cli, rows: readonly Row[]) {
  const { table } = await import('../output/table.ts')
  const cells = rows.map((row) => [
    row.objective ?? row.mission,
    row.resourceKey,
    row.branch,
    (row.tip ?? row.atOrigin ?? row.lastSha).slice(0, 12),
    row.state,
    row.where,
    row.kept,
  ])
  const columns = ['OF', 'RESOURCE', 'BRANCH', 'LAST COMMIT', 'STATE', 'WHERE', 'STAYS BECAUSE']
  return table(columns, cells, cli.stdout)
}

interface RemoveOptions extends HomeOption {
  unmerged?: true
  yes?: true
}

async function remove(cli: Cli, ref: string, options: RemoveOptions): Promise<void> {
  const home = await runnerHomeOf(cli, options.runnerHome)
  const { here: found, unreadable } = await requireHere(await openClient(cli), home, ref)
  const { removeBranch, refuseUnmerged, whyUnmerged } = await import('../branches/remove-branch.ts')
  const unmerged = options.unmerged ?? false
  const open = found.filter(isUnmerged)
  const staying = unmerged ? [] : open
  const going = found.filter((one) => !staying.includes(one))
  if (going.length === 0) for (const one of staying) refuseUnmerged(one)
  if (unmerged && open.length > 0 && !options.yes) {
    const names = open.map(({ recorded }) => recorded.branch).join(', ')
    throw usageFailure(
      `Nothing was removed: ${names} would go with commits that are not merged. Add --yes to remove them.`,
    )
  }
  const stays = [...unreadable, ...staying.map((one) => outcomeOf(one, whyUnmerged(one)))]
  const removed: Outcome[] = []
  try {
    for (const one of going) {
      const done = outcomeOf(one, await removeBranch(home, one, { unmerged }))
      removed.push(done)
      if (!cli.settings.json) await write(cli, oneLine(done.told))
    }
  } finally {
    // also where a refusal follows: nothing else names the commits of the branches that are gone
    if (cli.settings.json && removed.length > 0) await printJson(cli, { removed, stays })
  }
  if (!cli.settings.json) for (const one of stays) say(cli, oneLine(`It stays: ${one.told}`))
}

type Outcome = ReturnType<typeof outcomeOf>

function outcomeOf(
  { recorded: { branch, resourceKey } }: Pick<FoundBranch, 'recorded'>,
  words: string,
) {
  return { branch, resourceKey, told: words }
}

/** The branches of that name, mission or objective that this machine has, and those whose state Git does not say. */
async function requireHere(client: Client, home: Home, ref: string) {
  const found: FoundBranch[] = []
  const unreadable: Outcome[] = []
  const refusals: unknown[] = []
  for (const recorded of await namedBy(client, ref)) {
    try {
      found.push(await findBranch(home, recorded))
    } catch (error) {
      unreadable.push(
        outcomeOf(
          { recorded },
          `${recorded.branch} in ${recorded.resourceKey}. ${whyUnreadable(error)}`,
        ),
      )
      refusals.push(error)
    }
  }
  const here = found.filter(({ tip }) => tip !== undefined)
  const missions = [...new Set(here.map(({ recorded }) => recorded.mission))]
  if (missions.length > 1) {
    throw usageFailure(`${missions.join(' and ')} have a branch ${ref} here: name one of them.`)
  }
  if (here.length > 0) return { here, unreadable }
  if (refusals.length > 0) throw refusals[0]
  const [first] = found
  throw new CommandFailure(
    'not_found',
    first === undefined
      ? `No run has recorded a branch for ${ref}: see svc branches list.`
      : `${first.recorded.branch} is not on this machine but ${whereIs(first)}: there is nothing to remove here.`,
    exitCode.notFound,
  )
}

async function namedBy(client: Client, ref: string): Promise<MissionBranch[]> {
  if (isMissionDisplayId(ref)) return readBranches(client, { missionId: ref })
  if (isObjectiveDisplayId(ref)) {
    const { objective } = await client.call('getObjective', { id: ref })
    const all = await readBranches(client, { missionId: objective.missionId })
    return all.filter(({ objectiveId }) => objectiveId === objective.id)
  }
  if (!BranchName.safeParse(ref).success) {
    throw usageFailure(`${ref} is neither the name of a branch nor the display id of a mission.`)
  }
  return readBranches(client, { branch: ref })
}
