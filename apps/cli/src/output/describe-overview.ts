import type { Cli } from '../cli.ts'
import { stateOfRun, whyReleased } from '@svc/contracts/run-end'
import { checksInShort } from './describe-checks.ts'
import { describeHead, describeObjectives } from './describe-mission.ts'
import { type Overview, lastRunsOf } from './mission-overview.ts'
import type { Step } from './next-step.ts'
import { progressOf } from './progress.ts'
import { whyNot } from './queue.ts'
import { type Run, whyEnded } from './run-end.ts'
import { shortCell } from './short-cell.ts'
import type { table } from './table.ts'
import { oneLine, paint } from './terminal.ts'

type Rows = Parameters<typeof table>[1]

/** All of it on one screen; parts that would be empty are left out. */
export async function describeOverview(cli: Cli, overview: Overview) {
  const { table } = await import('./table.ts')
  const titled = (title: string, text: string) => `${paint('bold', title, cli.stdout)}\n${text}`
  const part = (title: string, columns: readonly string[], rows: Rows) =>
    rows.length === 0 ? [] : [titled(title, table(columns, rows, cli.stdout))]
  const parts = [
    await describeHead(cli, overview.mission),
    ...(await describeObjectives(cli, overview.objectives, lastRunsOf(overview), overview.workers)),
    ...part(
      'Runs',
      ['OBJECTIVE', 'STATE', 'AGENT', 'RUNNER', 'QUEUED AT', 'WHY', 'RUN'],
      runRows(overview),
    ),
    ...part(
      'Open questions',
      ['OBJECTIVE', 'ASKED BY', 'QUESTION', 'OPTIONS'],
      questionRows(overview),
    ),
    ...part('Answers', ['OBJECTIVE', 'QUESTION', 'ANSWER', 'BY'], answerRows(overview)),
    ...part('Queues', ['QUEUE', '#', 'OBJECTIVE', 'STATE', 'WHY'], queueRows(overview)),
    ...part('Deliveries', deliveryColumns(overview), deliveryRows(overview)),
    ...part('Artifacts', ['OBJECTIVE', 'TYPE', 'LABEL', 'ARTIFACT'], artifactRows(overview)),
    describeSteps(cli, overview.nextSteps),
  ]
  return parts.join('\n\n')
}

export function describeSteps({ stdout }: Cli, steps: readonly Step[]): string {
  const title = paint('bold', 'What to do now', stdout)
  return `${title}\n${steps.map(stepText).join('\n') || 'Nothing.'}`
}

/** The command on a line of its own, so that it can be copied as it stands. */
function stepText({ why, command }: Step): string {
  return `${oneLine(why)}\n  ${oneLine(command)}`
}

function runRows(overview: Overview): Rows {
  return overview.executionRequests.map((run) => [
    nameOf(overview, run),
    stateOfRun(run),
    run.agent,
    run.runnerLabel,
    run.createdAt,
    shortCell(reasonOf(overview, run)),
    run.id,
  ])
}

function reasonOf(overview: Overview, run: Run): string | undefined {
  return (
    overview.untaken[run.id] ??
    whyReleased(run) ??
    progressOf(run) ??
    overview.calledOff[run.id] ??
    whyEnded(run)
  )
}

function questionRows({ questions }: Overview): Rows {
  return questions
    .filter(({ status }) => status === 'open')
    .map(({ displayId, agentIdentifier, question, options }) => [
      displayId,
      agentIdentifier,
      question,
      options.map(({ id, label }) => `${id}=${label}`).join(', '),
    ])
}

function answerRows({ questions }: Overview): Rows {
  return questions.flatMap(({ displayId, question, answer }) =>
    answer === null ? [] : [[displayId, shortCell(question), shortCell(answer.text), answer.by]],
  )
}

function artifactRows(overview: Overview): Rows {
  return overview.artifacts.map(({ objectiveId, type, label, id }) => [
    objectiveId === null ? null : nameOf(overview, { objectiveId }),
    type,
    label,
    id,
  ])
}

function queueRows(overview: Overview): Rows {
  return overview.queues.flatMap((queue) =>
    queue.entries.map((entry) => [
      queue.name,
      entry.position,
      entry.displayId,
      entry.state,
      whyNot(overview.objectives, entry),
    ]),
  )
}

/** Of checks where there are any. */
function isChecked({ deliveries }: Overview): boolean {
  return deliveries.some(({ checks }) => checksInShort(checks) !== null)
}

function deliveryColumns(overview: Overview): string[] {
  const checks = isChecked(overview) ? ['CHECKS'] : []
  return ['OBJECTIVE', 'DELIVERED AT', ...checks, 'SUMMARY']
}

function deliveryRows(overview: Overview): Rows {
  return overview.deliveries.map((delivery) => [
    nameOf(overview, delivery),
    delivery.createdAt,
    ...(isChecked(overview) ? [checksInShort(delivery.checks)] : []),
    delivery.summary.split('\n')[0],
  ])
}

/** The display id of an objective; the overview does not list deleted ones. */
function nameOf({ objectives }: Overview, { objectiveId }: { objectiveId: string }): string {
  return objectives.find(({ id }) => id === objectiveId)?.displayId ?? 'deleted'
}
