import type { Cli } from '../cli.ts'
import { stateOfRun, whyReleased } from '@svc/contracts/run-end'
import { describeHead, describeObjectives } from './describe-mission.ts'
import { type Story, lastRunsOf } from './mission-story.ts'
import type { Step } from './next-step.ts'
import { progressOf } from './progress.ts'
import { whyNot } from './queue.ts'
import { type Run, whyEnded } from './run-end.ts'
import { shortCell } from './short-cell.ts'
import type { table } from './table.ts'
import { oneLine, paint } from './terminal.ts'

type Rows = Parameters<typeof table>[1]

/** All of it on one screen; parts that would be empty are left out. */
export async function describeStory(cli: Cli, story: Story) {
  const { table } = await import('./table.ts')
  const titled = (title: string, text: string) => `${paint('bold', title, cli.stdout)}\n${text}`
  const part = (title: string, columns: readonly string[], rows: Rows) =>
    rows.length === 0 ? [] : [titled(title, table(columns, rows, cli.stdout))]
  const parts = [
    await describeHead(cli, story.mission),
    ...(await describeObjectives(cli, story.objectives, lastRunsOf(story), story.workers)),
    ...part(
      'Runs',
      ['OBJECTIVE', 'STATE', 'AGENT', 'RUNNER', 'QUEUED AT', 'WHY', 'RUN'],
      runRows(story),
    ),
    ...part(
      'Open questions',
      ['OBJECTIVE', 'ASKED BY', 'QUESTION', 'OPTIONS'],
      questionRows(story),
    ),
    ...part('Answers', ['OBJECTIVE', 'QUESTION', 'ANSWER', 'BY'], answerRows(story)),
    ...part('Queues', ['QUEUE', '#', 'OBJECTIVE', 'STATE', 'WHY'], queueRows(story)),
    ...part('Deliveries', ['OBJECTIVE', 'DELIVERED AT', 'SUMMARY'], deliveryRows(story)),
    ...part('Artifacts', ['OBJECTIVE', 'TYPE', 'LABEL', 'ARTIFACT'], artifactRows(story)),
    describeSteps(cli, story.nextSteps),
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

function runRows(story: Story): Rows {
  return story.executionRequests.map((run) => [
    nameOf(story, run),
    stateOfRun(run),
    run.agent,
    run.runnerLabel,
    run.createdAt,
    shortCell(reasonOf(story, run)),
    run.id,
  ])
}

function reasonOf(story: Story, run: Run): string | undefined {
  return (
    story.untaken[run.id] ??
    whyReleased(run) ??
    progressOf(run) ??
    story.calledOff[run.id] ??
    whyEnded(run)
  )
}

function questionRows({ questions }: Story): Rows {
  return questions
    .filter(({ status }) => status === 'open')
    .map(({ displayId, agentIdentifier, question, options }) => [
      displayId,
      agentIdentifier,
      question,
      options.map(({ id, label }) => `${id}=${label}`).join(', '),
    ])
}

function answerRows({ questions }: Story): Rows {
  return questions.flatMap(({ displayId, question, answer }) =>
    answer === null ? [] : [[displayId, shortCell(question), shortCell(answer.text), answer.by]],
  )
}

function artifactRows(story: Story): Rows {
  return story.artifacts.map(({ objectiveId, type, label, id }) => [
    objectiveId === null ? null : nameOf(story, { objectiveId }),
    type,
    label,
    id,
  ])
}

function queueRows(story: Story): Rows {
  return story.queues.flatMap((queue) =>
    queue.entries.map((entry) => [
      queue.name,
      entry.position,
      entry.displayId,
      entry.state,
      whyNot(story.objectives, entry),
    ]),
  )
}

function deliveryRows(story: Story): Rows {
  return story.deliveries.map((delivery) => [
    nameOf(story, delivery),
    delivery.createdAt,
    delivery.summary.split('\n')[0],
  ])
}

/** By its display id; a deleted objective has none here any more. */
function nameOf({ objectives }: Story, { objectiveId }: { objectiveId: string }): string {
  return objectives.find(({ id }) => id === objectiveId)?.displayId ?? 'deleted'
}
