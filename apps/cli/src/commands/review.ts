import type { Client } from '@svc/client/client'
import type { Command } from 'commander'
import { type Cli, openClient, print, printJson, say, write } from '../cli.ts'
import { describeSteps } from '../output/describe-overview.ts'
import { usageFailure } from '../output/failure.ts'
import { homeOption, runnerHomeOf } from '../runner-home.ts'
import type { Done, Verbs } from '../review/act.ts'
import type { ReadSection } from '../review/describe-review.ts'
import type { Review } from '../review/read-review.ts'
import { oneText } from '../structured-options.ts'

interface ReviewOptions extends Verbs {
  resource?: string
  stat?: true
  changes?: string
  changesFile?: string
  launch?: true
  runnerHome?: string
}

const meaning = `
Without an option that does something, nothing is done: it shows the last delivery, the changed files with their
reasons, where each branch is, and what it changes, through the pager of Git on a terminal. Several verbs are done in
this order, and the first that cannot be done ends it: --checkout or --merge, --push, --accept or --changes.
--push pushes what --merge merged into, or without --merge the branch itself; never by force.
A checkout that is to change must be clean and free; where a merge conflicts, it is taken back.

Examples:
  svc review web:12
  svc review web:12 --stat --resource api
  svc review web:12 --merge --push --accept
  svc review web:12 --changes "Keep the old route, too." --launch`

export function define(command: Command, cli: Cli): void {
  command
    .argument('<reviewed>', 'display id or UUID of a mission, or display id of one objective')
    .option('--resource <resource>', 'only this repository, where there are several')
    .option('--stat', 'only which files, and how much')
    .option('--checkout', 'switch the linked checkout to the branch')
    .option('--merge', 'merge the branch into its base, in the linked checkout')
    .option('--push', 'push to origin: the base after --merge, else the branch')
    .option('--accept', 'close the mission')
    .option('--changes <text>', 'add the next objective: what is to be different')
    .option('--changes-file <path>', 'the same from a file, - for stdin')
    .option('--launch', 'with --changes: launch it at once')
    .option(...homeOption)
    .addHelpText('after', meaning)
    .action((ref: string, options: ReviewOptions) => review(cli, ref, options))
}

async function review(cli: Cli, ref: string, options: ReviewOptions): Promise<void> {
  const { refuseContradictions, act } = await import('../review/act.ts')
  const { resource, stat, launch } = options
  const changes = await oneText(options.changes, options.changesFile, '--changes', '--changes-file')
  refuseContradictions({ ...options, ...(changes !== undefined && { changes }) })
  const home = await runnerHomeOf(cli, options.runnerHome)
  const client = await openClient(cli)
  const { readReview } = await import('../review/read-review.ts')
  const read = await readReview(client, home, ref, resource)
  const { checkout, merge, push, accept } = options
  const hasVerb = checkout || merge || push || accept
  const done = hasVerb ? await act(cli, client, home, { review: read, verbs: options }) : []
  if (changes !== undefined) await goOn(cli, client, read, { changes, resource, launch, done })
  else if (!hasVerb) await show(cli, client, read, stat ?? false)
  else if (cli.settings.json) await printJson(cli, { done })
}

async function show(cli: Cli, client: Client, read: Review, stat: boolean): Promise<void> {
  const { readDiff } = await import('../review/read-diff.ts')
  const { warningsOf } = await import('../review/warnings.ts')
  const { reviewSteps } = await import('../review/steps.ts')
  const sections = await Promise.all(
    read.sections.map(async (section) => ({
      section,
      diff: await readDiff(client, section),
      warnings: await warningsOf(section),
    })),
  )
  const steps = await reviewSteps(client, read)
  if (cli.settings.json) return printJson(cli, reviewJson(read, sections, steps))
  const { describeReview } = await import('../review/describe-review.ts')
  const { page } = await import('../output/pager.ts')
  await page(cli, await describeReview(cli, read, sections, { stat }))
  await write(cli, `\n${describeSteps(cli, steps)}`)
}

function reviewJson(
  { mission, delivery, otherChanges }: Review,
  sections: readonly ReadSection[],
  nextSteps: readonly object[],
) {
  return {
    mission,
    delivery: delivery ?? null,
    fileChanges: otherChanges,
    branches: sections.map(({ section: { found, changes }, diff, warnings }) => ({
      ...found.recorded,
      checkout: found.checkout ?? null,
      tip: found.tip ?? null,
      worktree: found.worktree?.path ?? null,
      atOrigin: found.origin ?? null,
      state: found.state,
      warnings,
      fileChanges: changes,
      diff,
    })),
    nextSteps,
  }
}

interface Changes {
  changes: string
  resource: string | undefined
  launch: true | undefined
  /** What was done before, which is printed with it in JSON. */
  done: readonly Done[]
}

async function goOn(
  cli: Cli,
  client: Client,
  read: Review,
  { changes, resource, launch, done }: Changes,
): Promise<void> {
  if (launch && read.runs.length === 0) {
    throw usageFailure(`${read.ref} was never launched, so no agent is known: leave --launch out.`)
  }
  const { afterwards } = await import('../review/act.ts')
  const before = done.length > 0 ? { done } : {}
  const asked = {
    id: read.mission.id,
    instruction: changes,
    ...(resource !== undefined && { resource_key: resource }),
  }
  const { objective } = await client.call('askForChanges', asked).catch((error: unknown) => {
    throw afterwards(error, { done })
  })
  const { displayId, assigned_agent: agent } = objective
  if (launch && agent !== null) {
    const { printLaunched } = await import('../output/launched.ts')
    const launching = client.call('launchObjective', { id: displayId, agent })
    const answer = await launching.catch((error: unknown) => {
      throw afterwards(error, { done, added: displayId })
    })
    return printLaunched(cli, client, { ...answer, ...before }, {})
  }
  const { details } = await import('../output/table.ts')
  const fields = {
    objective: displayId,
    title: objective.title,
    agent,
    resource: objective.resource_key,
  }
  await print(cli, { objective, ...before }, () => details(fields, cli.stdout))
  say(cli, `Launch it: svc launch ${displayId}${agent === null ? ' --agent <key>' : ''}`)
}
