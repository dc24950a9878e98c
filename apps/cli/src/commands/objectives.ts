import type { Client } from '@svc/client/client'
import type { Objective } from '@svc/contracts/objective'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { appendTo } from '../choices.ts'
import {
  type ExpectedRevision,
  expectedRevisionOf,
  expectedRevisionOption,
} from '../expected-revision.ts'
import { usageFailure } from '../output/failure.ts'
import { defineObjectiveDeletion, printRestorable } from './deletions.ts'
import { endOf, lastRunOf, lastRuns, whyWaiting } from '../output/run-end.ts'
import { oneText, structuredOption } from '../structured-options.ts'
import { sanitize } from '../output/terminal.ts'
import { objectivesMeaning, objectivesOf } from './missions.ts'
import { printPlanned } from '../output/planned.ts'
import { describeMission } from '../output/describe-mission.ts'

const objectiveArgument = ['<objective>', 'display id or UUID'] as const

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc objectives list web:12\n  svc objectives submit web:12.k7qd',
  )
  defineReading(command, cli)
  defineAdd(command, cli)
  defineEdit(command, cli)
  defineObjectiveDeletion(command, cli)
  command
    .command('reorder')
    .description('give the objectives of a mission that have not started another order')
    .argument('<mission>', 'display id or UUID')
    .argument('<objectives...>', 'all of those that have not started, in the order wanted')
    .option('--expected-revision <number>', "the mission's as it was read, from --json")
    .addHelpText('after', '\nExamples:\n  svc objectives reorder web:12 web:12.m3xz web:12.k7qd')
    .action(async (id: string, objectiveIds: string[], options: ExpectedRevision) => {
      const request = { id, objectiveIds, ...expectedRevisionOf(options) }
      const answer = await (await openClient(cli)).call('reorderFutureObjectives', request)
      await print(cli, answer, () => describeMission(cli, answer.mission, answer.objectives))
    })
  command
    .command('submit')
    .description('declare an objective ready to be launched')
    .argument(...objectiveArgument)
    .addHelpText('after', '\nExamples:\n  svc objectives submit web:12.k7qd')
    .action((id: string) => turn(cli, 'submitObjective', id))
  command
    .command('send-back')
    .description('turn an objective back into a draft')
    .argument(...objectiveArgument)
    .addHelpText('after', '\nExamples:\n  svc objectives send-back web:12.k7qd')
    .action((id: string) => turn(cli, 'sendBackObjective', id))
}

function defineReading(command: Command, cli: Cli): void {
  command
    .command('list')
    .description("list a mission's objectives in order")
    .argument('<mission>', 'display id or UUID')
    .option('--deleted', 'those that can be restored, and until when')
    .option('--cursor <cursor>', 'with --deleted: go on from the page before')
    .addHelpText(
      'after',
      '\nExamples:\n  svc objectives list web:12\n  svc objectives list web:12 --deleted',
    )
    .action(async (id: string, { deleted, ...page }: { deleted?: true; cursor?: string }) => {
      const client = await openClient(cli)
      if (deleted) {
        const answer = await client.call('listDeletedObjectives', { id, ...page })
        return printRestorable(cli, 'objectives', answer)
      }
      const { mission, objectives } = await client.call('getMission', { id })
      const runs = await lastRuns(client, id, objectives)
      await print(cli, { objectives }, () => describeMission(cli, mission, objectives, runs))
    })
  command
    .command('show')
    .description('show an objective with its instruction')
    .argument(...objectiveArgument)
    .addHelpText('after', '\nExamples:\n  svc objectives show web:12.k7qd')
    .action((id: string) => show(cli, id))
}

function defineAdd(group: Command, cli: Cli): void {
  const command = group
    .command('add')
    .description('add objectives at the end of a mission')
    .argument('<mission>', 'display id or UUID')
    .option('--objective <instruction>', 'what is to be done; may be repeated', appendTo, [])
    .option('--instruction-file <path>', 'one more from a file, - for stdin')
  structuredOption(command, 'objectives', objectivesMeaning)
    .addHelpText(
      'after',
      '\nExamples:\n  svc objectives add web:12 --objective "Write the changelog."\n  svc objectives add web:12 --instruction-file task.md',
    )
    .action((id: string, options: AddOptions) => add(cli, id, options))
}

interface AddOptions {
  objective: string[]
  instructionFile?: string
}

async function add(cli: Cli, id: string, { objective, ...options }: AddOptions): Promise<void> {
  const { instructionFile } = options
  const file = '--instruction-file'
  const typed = await oneText(undefined, instructionFile, '--objective', file)
  if (typed?.trim() === '') throw usageFailure(`${file} is empty: say what is to be done.`)
  const all = typed === undefined ? objective : [...objective, typed]
  const objectives = await objectivesOf({ ...options, objective: all })
  if (objectives.length === 0) {
    throw usageFailure(`Name what is to be done: give --objective, or ${file} -.`)
  }
  const client = await openClient(cli)
  await printPlanned(cli, client, await client.call('addObjectives', { id, objectives }))
}

interface EditOptions extends ExpectedRevision {
  title?: string
  instruction?: string
  instructionFile?: string
  agent?: string
  model?: string
  effort?: string
  resource?: string
  check?: string
}

function defineEdit(command: Command, cli: Cli): void {
  command
    .command('edit')
    .description('change an objective that has not started')
    .argument(...objectiveArgument)
    .option('--title <text>')
    .option('--instruction <text>', 'what is to be done')
    .option('--instruction-file <path>', 'the same from a file, - for stdin')
    .option('--agent <key>', 'agent to launch; an empty value clears it, as below')
    .option('--model <name>')
    .option('--effort <effort>')
    .option('--resource <resource>', 'key of the resource whose checkout it works in')
    .option(
      '--check <name>',
      "the one check before its delivery, or none; empty: all of the project's",
    )
    .option(...expectedRevisionOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc objectives edit web:12.k7qd --instruction-file task.md --agent claude\n  svc objectives edit web:12.k7qd --model ""\n  svc objectives edit web:12.k7qd --resource api\n  svc objectives edit web:12.k7qd --check none',
    )
    .action((id: string, options: EditOptions) => edit(cli, id, options))
}

async function edit(cli: Cli, id: string, options: EditOptions): Promise<void> {
  const { title } = options
  const instruction = await oneText(
    options.instruction,
    options.instructionFile,
    '--instruction',
    '--instruction-file',
  )
  const changes = {
    ...(title !== undefined && { title }),
    ...(instruction !== undefined && { instruction }),
    ...(options.agent !== undefined && { assigned_agent: options.agent || null }),
    ...(options.model !== undefined && { model: options.model || null }),
    ...(options.effort !== undefined && { reasoning_effort: options.effort || null }),
    ...(options.resource !== undefined && { resource_key: options.resource || null }),
    ...(options.check !== undefined && { check: options.check || null }),
  }
  if (Object.keys(changes).length === 0)
    throw usageFailure('Nothing to change: svc objectives edit --help says what may be given.')
  const expected = expectedRevisionOf(options)
  const client = await openClient(cli)
  if (options.resource) await refuseUnknownResource(client, id, options.resource)
  await printObjective(cli, await client.call('updateObjective', { id, ...changes, ...expected }))
}

/** The service takes a key that is to be linked later; one that is typed is meant as it is listed. */
async function refuseUnknownResource(client: Client, id: string, wanted: string): Promise<void> {
  const { objective } = await client.call('getObjective', { id })
  const [project = ''] = objective.displayId.split(':')
  const { resources } = await client.call('listProjectResources', { id: project })
  const keys = resources.map(({ resourceKey }) => resourceKey)
  if (keys.includes(wanted)) return
  const those = keys.length > 0 ? `use one of ${keys.join(', ')}, or link it` : 'link it first'
  throw usageFailure(`${project} has no resource ${wanted}: ${those} (svc resource link --help).`)
}

async function show(cli: Cli, id: string): Promise<void> {
  const client = await openClient(cli)
  const answer = await client.call('getObjective', { id })
  const runs = await client.call('listExecutionRequests', { objectiveId: id, limit: 1 })
  const [run] = runs.executionRequests
  const isOpen = answer.objective.state !== 'complete'
  const lastRun = run && (await client.call('getExecutionRequest', { id: run.id }))
  await printObjective(cli, answer, {
    'last run': lastRunOf(answer.objective, run),
    waiting: lastRun && whyWaiting(lastRun),
    ...(isOpen && lastRun && endOf(lastRun)),
  })
}

async function turn(cli: Cli, route: 'submitObjective' | 'sendBackObjective', id: string) {
  const answer = await (await openClient(cli)).call(route, { id })
  await printObjective(cli, answer)
  if (answer.objective.state === 'submitted') {
    const { displayId, assigned_agent: agent } = answer.objective
    say(cli, `Launch it: svc launch ${displayId}${agent === null ? ' --agent <key>' : ''}`)
  }
}

async function printObjective(
  cli: Cli,
  answer: { objective: Objective },
  ran: Record<string, string | null | undefined> = {
    'last run': lastRunOf(answer.objective, undefined),
  },
): Promise<void> {
  const { details } = await import('../output/table.ts')
  const { objective } = answer
  const fields = {
    objective: objective.displayId,
    title: objective.title,
    state: objective.state,
    ...ran,
    agent: objective.assigned_agent,
    model: objective.model,
    effort: objective.reasoning_effort,
    resource: objective.resource_key,
    check: objective.check,
    branch: objective.branch,
    refused: objective.approvalRefusal?.message,
  }
  const instruction = sanitize(objective.instruction).trim()
  await print(
    cli,
    answer,
    () => details(fields, cli.stdout) + (instruction && `\n\n${instruction}`),
  )
}
