import type { Client } from '@svc/client/client'
import type { Mission } from '@svc/contracts/mission'
import { type Objective, ObjectiveInput } from '@svc/contracts/objective'
import type { RouteRequest } from '@svc/contracts/rest'
import { Priority, StatusType, objectiveStates } from '@svc/contracts/states'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { appendTo, oneOf } from '../choices.ts'
import {
  type ExpectedRevision,
  expectedRevisionOf,
  expectedRevisionOption,
} from '../expected-revision.ts'
import { usageFailure } from '../output/failure.ts'
import { defineMissionDeletion } from './deletions.ts'
import { describeMission } from '../output/describe-mission.ts'
import { leftUndone } from '../output/left-undone.ts'
import { printPlanned } from '../output/planned.ts'
import { oneLine } from '../output/terminal.ts'
import { defineMissionEdit } from './mission-edit.ts'
import { defineEvent } from './mission-event.ts'
import { defineState } from './mission-state.ts'
import { ownWords, readStructured, structuredOption } from '../structured-options.ts'
import { runnerHomeToRead } from '../runner-home.ts'
import { statusOf } from './statuses.ts'
import { type WorktreesChoice, worktreesOf, worktreesOption } from '../worktrees-choice.ts'
import { defineList } from './missions-list.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', '\nExamples:\n  svc missions list\n  svc missions watch web:12')
  defineReading(command, cli)
  defineCreate(command, cli)
  defineMissionEdit(command, cli)
  defineEvent(command, cli)
  defineState(command, cli)
  defineMissionDeletion(command, cli)
  command
    .command('move')
    .description('move a mission to another status of its project')
    .argument('<mission>', 'display id or UUID')
    .argument('<status>', 'label, type or UUID of the status')
    .option('--cancel-running', 'to close it: cancel what is queued or runs in it')
    .option(...expectedRevisionOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc missions move web:12 "In review"\n  svc missions move web:12 complete\n  svc missions move web:12 cancelled --cancel-running',
    )
    .action((mission: string, status: string, options: MoveOptions) =>
      move(cli, mission, status, options),
    )
}

function defineReading(command: Command, cli: Cli): void {
  defineList(command, cli)
  command
    .command('show')
    .description('show an overview of a mission')
    .argument('<mission>', 'display id or UUID')
    .addHelpText(
      'after',
      '\nIts objectives, runs, questions, positions in queues, deliveries and artifacts, and what to do now, as commands.\n\nExamples:\n  svc missions show web:12\n  svc missions show web:12 --json',
    )
    .action((mission: string) => show(cli, mission))
  command
    .command('watch')
    .description('show what happens in a mission, as it happens, until Ctrl-C')
    .argument('<mission>', 'display id or UUID')
    .addOption(
      oneOf(
        '--until <phase>',
        'end once the mission is in this phase, as in review with nothing launched',
        StatusType.options,
      ),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  svc missions watch web:12\n  svc missions watch web:12 --until review',
    )
    .action((mission: string, options: { until?: string }) => watch(cli, mission, options))
}

function defineCreate(group: Command, cli: Cli): void {
  const command = group
    .command('create')
    .description('create a mission, with its objectives in order')
    .argument('<project>', 'slug or UUID')
    .argument('<title>')
    .option('--objective <instruction>', 'what is to be done; may be repeated', appendTo, [])
    .addOption(oneOf('--priority <priority>', 'how urgent it is', Priority.options))
    .option('--auto-advance', 'launch the next objective when one is delivered')
    .option('--parallel', 'let objectives run at the same time')
    .addOption(worktreesOption())
  structuredOption(command, 'objectives', objectivesMeaning)
    .addHelpText(
      'after',
      '\nExamples:\n  svc missions create web "Dark mode" --objective "Add a switch." --objective "Write tests."\n  svc missions create web "Dark mode" --objectives-file objectives.json --auto-advance',
    )
    .action((project: string, title: string, options: CreateOptions) =>
      create(cli, project, title, options),
    )
}

interface CreateOptions extends Record<string, unknown> {
  objective: string[]
  priority?: RouteRequest<'createMission'>['priority']
  autoAdvance?: true
  parallel?: true
  worktrees?: WorktreesChoice
}

async function show(cli: Cli, id: string): Promise<void> {
  const client = await openClient(cli)
  const { readOverview } = await import('../output/mission-overview.ts')
  const { describeOverview } = await import('../output/describe-overview.ts')
  const overview = await readOverview(cli, client, id)
  const { untaken: _inWords, ...shown } = overview
  await print(cli, shown, () => describeOverview(cli, overview))
}

async function create(cli: Cli, projectId: string, title: string, options: CreateOptions) {
  const { priority, autoAdvance, parallel, worktrees } = options
  const client = await openClient(cli)
  const answer = await client.call('createMission', {
    projectId,
    title,
    objectives: await objectivesOf(options),
    ...(priority !== undefined && { priority }),
    ...(autoAdvance && { auto_advance: true }),
    ...(parallel && { allowParallelObjectives: true }),
    ...(worktrees && { useWorktrees: worktreesOf(worktrees) }),
  })
  await printPlanned(cli, client, answer)
}

/** What each of a list of objectives may have, by the contract. */
export const objectivesMeaning = `a list of {${Object.keys(ObjectiveInput.shape).join(', ')}}`

/** First those of `--objective`, then those of the file. Without either the mission begins with a blank objective. */
export async function objectivesOf(
  options: Record<string, unknown> & { objective: string[] },
): Promise<ObjectiveInput[]> {
  const texts = options.objective.map((instruction) => {
    if (instruction.trim() === '')
      throw usageFailure('--objective is empty: say what is to be done.')
    return { instruction: ownWords(instruction, '--objective') }
  })
  const listed = (await readStructured(options, 'objectives')) ?? []
  if (!Array.isArray(listed))
    throw usageFailure('Objectives are a list: write [{"instruction": "…"}].')
  // The service judges each of them by the contract and names what is wrong.
  return [...texts, ...(listed as ObjectiveInput[])]
}

interface MoveOptions extends ExpectedRevision {
  cancelRunning?: true
}

async function move(cli: Cli, id: string, wanted: string, options: MoveOptions): Promise<void> {
  const { cancelRunning } = options
  const expected = expectedRevisionOf(options)
  const client = await openClient(cli)
  const { mission, objectives } = await client.call('getMission', { id })
  const status = await statusOf(client, mission.projectId, wanted)
  const answer = await client.call('moveMission', {
    id,
    statusId: status.id,
    ...(cancelRunning && { cancelRunning }),
    ...expected,
  })
  await print(cli, answer, () => describeMission(cli, answer.mission, []))
  if (answer.mission.phase !== 'complete') return
  for (const line of leftUndone({ mission, objectives })) say(cli, oneLine(line))
  await sayUnmerged(cli, client, answer.mission)
}

async function sayUnmerged(cli: Cli, client: Client, { id, displayId }: Mission): Promise<void> {
  const { closedWithout, leftUnmerged } = await import('../branches/unmerged.ts')
  const unmerged = await leftUnmerged(client, runnerHomeToRead(cli), id)
  for (const line of closedWithout(displayId, unmerged)) say(cli, line)
}

async function watch(cli: Cli, id: string, { until }: { until?: string }): Promise<void> {
  const client = await openClient(cli)
  const { followMission } = await import('../output/follow-mission.ts')
  const isDone = async () => {
    if (until === undefined) return false
    const { mission, objectives } = await client.call('getMission', { id })
    // a delivery moves to review and may launch the next objective in the same moment
    const goesOn = until === 'review' && objectives.some(({ state }) => isActive(state))
    return mission.phase === until && !goesOn
  }
  await followMission(cli, client, { id, isDone })
}

function isActive(state: Objective['state']): boolean {
  return objectiveStates[state].active
}
