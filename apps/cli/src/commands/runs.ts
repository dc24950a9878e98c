import type { Client } from '@svc/client/client'
import type { ExecutionRequest, ListedRun, RunCounts } from '@svc/contracts/execution-request'
import { isUuid } from '@svc/contracts/ids'
import { limits } from '@svc/contracts/limits'
import { exitOfRun, holdOf, stateOfRun } from '@svc/contracts/run-end'
import { RunState, liveRunStates } from '@svc/contracts/states'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { commaListOf } from '../choices.ts'
import { requireRun } from '../run-ref.ts'
import { localTime } from '../output/local-time.ts'
import { type PageOptions, cursorOption, limitOption, pageOf, sayMore } from '../output/more.ts'
import { findObjective } from '../output/objective-names.ts'
import { usageFailure } from '../output/failure.ts'
import { requireRunner } from '../runner-ref.ts'
import { commandFor, endOf, usedBy, whyWaiting } from '../output/run-end.ts'
import { sanitize } from '../output/terminal.ts'
import { progressOf } from '../output/progress.ts'
import type { ReadChanges } from '../output/run-changes.ts'
import { describeUsage, durationOf, sumOf } from '../output/used.ts'

const runArgument = [
  '<run>',
  'id of the run, or display id of the objective for its latest, or of a mission with one such objective',
] as const

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc runs list --mission web:12\n  svc runs diff web:12.k7qd',
  )
  command
    .command('list')
    .description('list runs, newest first')
    .option('--project <project>', 'slug or UUID; several with commas')
    .option('--mission <mission>', 'display id or UUID')
    .option('--objective <objective>', 'display id or UUID')
    .option('--runner <runner>', 'name or UUID of the runner that took them')
    .addOption(commaListOf('--state <states>', 'only those, as STATE says it', RunState.options))
    .option('--live', 'only what is queued or under way, with how much of each there is')
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc runs list --mission web:12\n  svc runs list --live\n  svc runs list --project web --state failed,lost\n  svc runs list --runner laptop --state exited --json',
    )
    .action((options: ListOptions) => list(cli, options))
  command
    .command('show')
    .description('show a run')
    .argument(...runArgument)
    .addHelpText('after', '\nExamples:\n  svc runs show web:12.k7qd')
    .action((run: string) => show(cli, run))
  command
    .command('cancel')
    .description('cancel a run, as svc cancel does')
    .argument(...runArgument)
    .option('--reason <text>', 'shown in the history of the mission')
    .addHelpText(
      'after',
      '\nExamples:\n  svc runs cancel web:12.k7qd\n  svc runs cancel web:12.k7qd --reason "wrong agent" --json',
    )
    .action(async (run: string, options: { reason?: string }) => {
      const { cancel } = await import('./cancel.ts')
      await cancel(cli, run, options)
    })
  command
    .command('diff')
    .description('show what a run changed in its checkout')
    .argument(...runArgument)
    .option('--stat', 'only the files')
    .option('--file <path>', 'only this one')
    .addHelpText(
      'after',
      '\nExamples:\n  svc runs diff web:12.k7qd\n  svc runs diff web:12.k7qd --stat\n  svc runs diff web:12.k7qd --file src/app.ts',
    )
    .action((run: string, options: DiffOptions) => diff(cli, run, options))
}

interface ListOptions extends PageOptions {
  project?: string
  mission?: string
  objective?: string
  runner?: string
  state?: string
  live?: true
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const { project, mission, objective, runner, ...page } = options
  const states = statesOf(options)
  const client = await openClient(cli)
  const runnerId = runner === undefined ? undefined : (await requireRunner(client, runner)).id
  const answer = await client.call('listExecutionRequests', {
    ...pageOf(page),
    ...(project !== undefined && { projectId: project }),
    ...(mission !== undefined && { missionId: mission }),
    ...(objective !== undefined && { objectiveId: objective }),
    ...(runnerId !== undefined && { runnerId }),
    ...(states !== undefined && { states }),
    ...(options.live && { countSince: new Date(new Date().setHours(0, 0, 0, 0)).toISOString() }),
  })
  await print(cli, answer, async () =>
    [await describeList(cli, answer.executionRequests), describeCounts(answer.counts)]
      .filter((part) => part !== undefined)
      .join('\n\n'),
  )
  sayMore(cli, answer)
}

function statesOf({ state, live }: ListOptions): string | undefined {
  if (!live) return state
  if (state !== undefined) throw usageFailure('--live is itself some states: leave --state out.')
  return liveRunStates.join(',')
}

async function describeList(cli: Cli, runs: readonly ListedRun[]) {
  const { table } = await import('../output/table.ts')
  const rows = runs.map((run) => [
    run.id,
    run.deleted ? `${run.objective.displayId} (deleted)` : run.objective.displayId,
    stateInList(run),
    progressOf(run),
    run.agent,
    run.attempt,
    run.runnerLabel,
    run.usage?.usd,
    tokensOf(run),
    run.createdAt,
  ])
  const columns = [
    'RUN',
    'OBJECTIVE',
    'STATE',
    'PROGRESS',
    'AGENT',
    'ATTEMPT',
    'RUNNER',
    'USD',
    'TOKENS',
    'QUEUED AT',
  ]
  const used = describeUsage(sumOf(runs))
  const list = table(columns, rows, cli.stdout)
  return used === undefined ? list : `${list}\n\nUsed by those that are over: ${used}.`
}

/** As many as are counted may be more. */
function describeCounts(counts: RunCounts | undefined): string | undefined {
  if (counts === undefined) return undefined
  const said = (count: number) => (count >= limits.countedRuns ? `${count} or more` : `${count}`)
  const { queued, running, delivered } = counts
  return `${said(running)} running, ${said(queued)} queued; ${said(delivered)} delivered today.`
}

function tokensOf({ usage }: ExecutionRequest): string | undefined {
  const { inputTokens, outputTokens } = usage ?? {}
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return ((inputTokens ?? 0) + (outputTokens ?? 0)).toLocaleString('en')
}

function stateInList(run: ExecutionRequest): string {
  const hold = holdOf(run)
  return hold ? `held until ${localTime(hold.until)}` : stateOfRun(run)
}

async function show(cli: Cli, ref: string): Promise<void> {
  const client = await openClient(cli)
  const id = isUuid(ref) ? ref : (await requireRun(client, ref)).id
  const answer = await client.call('getExecutionRequest', { id })
  const run = answer.executionRequest
  const objective = await findObjective(client, run.objectiveId)
  const { details } = await import('../output/table.ts')
  const fields = {
    run: run.id,
    objective: objective?.displayId ?? 'deleted',
    state: stateOfRun(run),
    progress: progressOf(run),
    agent: run.agent,
    model: run.config.model.value,
    effort: run.config.reasoningEffort.value,
    resource: run.resourceKey,
    'runner asked for': run.onlyRunner,
    attempt: run.attempt,
    runner: run.runnerLabel,
    folder: run.workingDirectory,
    branch: run.branch,
    'begins at': run.baseSha,
    'other branches': run.otherBranches.map(otherBranch).join(', '),
    warnings: run.warnings.join(' '),
    waiting: whyWaiting(answer),
    'last release': run.lastRelease?.reason,
    exit: exitOfRun(run),
    used: usedBy(run),
    took: run.seconds === null ? undefined : durationOf(run.seconds),
    'call off': commandFor('cancelExecutionRequest', answer.nextSteps),
    ...endOf(answer),
    'queued at': run.createdAt,
    'ended at': run.endedAt,
  }
  await print(cli, { executionRequest: run }, () => details(fields, cli.stdout))
}

function otherBranch({ resourceKey, branch }: ExecutionRequest['otherBranches'][number]): string {
  return `${branch} in ${resourceKey}`
}

interface DiffOptions {
  stat?: true
  file?: string
}

async function diff(cli: Cli, ref: string, { stat, file }: DiffOptions): Promise<void> {
  const client = await openClient(cli)
  const { id } = await requireRun(client, ref)
  const { readChanges, notesOnChanges } = await import('../output/run-changes.ts')
  const answer =
    file === undefined
      ? await readChanges(client, id, stat === undefined)
      : await readFileOf(client, id, file)
  const { files, changes } = answer
  const { table } = await import('../output/table.ts')
  // an earlier service says nothing of reasons
  const hasReasons = files.some(({ label }) => label != null)
  const columns = ['FILE', '+', '-', ...(hasReasons ? ['REASON'] : [])]
  const rows = files.map(({ filePath, additions, deletions, label }) => [
    filePath,
    additions,
    deletions,
    ...(hasReasons ? [label] : []),
  ])
  const patch = files.map((one) => one.patch ?? '').join('')
  await print(cli, answer, () =>
    stat || patch === '' ? table(columns, rows, cli.stdout) : sanitize(patch),
  )
  for (const note of notesOnChanges(changes)) say(cli, note)
}

async function readFileOf(client: Client, id: string, path: string): Promise<ReadChanges> {
  const { readChanges } = await import('../output/run-changes.ts')
  const { files } = await readChanges(client, id, false)
  const found = files.find(({ filePath }) => filePath === path)
  if (found === undefined) {
    throw usageFailure(`The run changed no file ${path}: list them with --stat.`)
  }
  const { file, changes } = await client.call('getRunFile', { id, position: found.position })
  return { files: [file], changes }
}
