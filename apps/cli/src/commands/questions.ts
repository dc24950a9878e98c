import type { Client } from '@svc/client/client'
import { isMissionDisplayId, isObjectiveDisplayId, isUuid } from '@svc/contracts/ids'
import type { Question } from '@svc/contracts/question'
import { QuestionStatus } from '@svc/contracts/states'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { oneOf } from '../choices.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, usageFailure } from '../output/failure.ts'
import { type PageOptions, cursorOption, limitOption, pageOf, sayMore } from '../output/more.ts'
import { sanitize } from '../output/terminal.ts'
import { onlyOne } from '../run-ref.ts'
import { oneText } from '../structured-options.ts'

const questionArgument = [
  '<question>',
  'id of the question, or display id of the objective that it is about, or of its mission',
] as const

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc questions list\n  svc questions show web:12.k7qd\n  svc questions answer web:12.k7qd "Keep it as it is."',
  )
  command
    .command('list')
    .description('list what agents ask, newest first')
    .option('--mission <mission>', 'display id or UUID')
    .option('--objective <objective>', 'display id or UUID')
    .addOption(oneOf('--status <status>', 'only those', [...QuestionStatus.options, 'all'], 'open'))
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc questions list --mission web:12\n  svc questions list --status all --json',
    )
    .action((options: ListOptions) => list(cli, options))
  command
    .command('show')
    .description('show what an agent asks, and what was answered')
    .argument(...questionArgument)
    .addHelpText(
      'after',
      '\nExamples:\n  svc questions show web:12.k7qd\n  svc questions show 0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b20 --json',
    )
    .action((question: string) => show(cli, question))
  command
    .command('answer')
    .description('answer what an agent asks; its work goes on')
    .argument(...questionArgument)
    .argument('[text]', 'the answer in words')
    .option('--option <id>', 'the answer as one of its options')
    .option('--text-file <path>', 'the answer from a file, - for stdin')
    .addHelpText(
      'after',
      '\nExamples:\n  svc questions answer web:12.k7qd "Keep it as it is."\n  svc questions answer web:12.k7qd --option yes',
    )
    .action((question: string, text: string | undefined, options: AnswerOptions) =>
      answer(cli, question, text, options),
    )
}

interface ListOptions extends PageOptions {
  mission?: string
  objective?: string
  status: string
}

async function list(cli: Cli, { mission, objective, status, ...page }: ListOptions): Promise<void> {
  const wanted = QuestionStatus.safeParse(status)
  const client = await openClient(cli)
  const found = await client.call('listQuestions', {
    ...pageOf(page),
    ...(mission !== undefined && { missionId: mission }),
    ...(objective !== undefined && { objectiveId: objective }),
    ...(wanted.success && { status: wanted.data }),
  })
  const { table } = await import('../output/table.ts')
  const rows = found.questions.map((one) => [
    one.displayId,
    one.status,
    one.agentIdentifier,
    one.question,
    one.options.map(({ id, label }) => `${id}=${label}`).join(', '),
    one.answer?.text,
    one.id,
  ])
  const columns = ['OBJECTIVE', 'STATUS', 'AGENT', 'QUESTION', 'OPTIONS', 'ANSWER', 'ID']
  await print(cli, found, () => table(columns, rows, cli.stdout))
  sayMore(cli, found)
}

function refuseOtherRefs(ref: string): void {
  if (isUuid(ref) || isObjectiveDisplayId(ref) || isMissionDisplayId(ref)) return
  throw usageFailure(
    `${ref} names no question: give its id, or its objective's display id, as in web:12.k7qd.`,
  )
}

async function show(cli: Cli, ref: string): Promise<void> {
  refuseOtherRefs(ref)
  const client = await openClient(cli)
  const question = isUuid(ref)
    ? (await client.call('getQuestion', { id: ref })).question
    : await requireOpen(client, ref)
  const { details, table } = await import('../output/table.ts')
  const { answer, options } = question
  const fields = {
    objective: question.displayId,
    status: question.status,
    agent: question.agentIdentifier,
    asked: question.askedAt,
    ...(question.closedAt === null && { expires: question.expiresAt }),
    'in words': question.allowFreeText ? 'yes' : 'no: one of the options',
    answer: answer?.text,
    by: answer?.by,
    id: question.id,
  }
  const rows = options.map(({ id, label, description }) => [id, label, description])
  await print(cli, { question }, () =>
    [
      details(fields, cli.stdout),
      sanitize(question.question).trim(),
      ...(rows.length > 0 ? [table(['OPTION', 'ANSWER', 'MEANS'], rows, cli.stdout)] : []),
    ].join('\n\n'),
  )
}

interface AnswerOptions {
  option?: string
  textFile?: string
}

async function answer(
  cli: Cli,
  ref: string,
  given: string | undefined,
  { option, textFile }: AnswerOptions,
): Promise<void> {
  const text = await oneText(given, textFile, '<text>', '--text-file')
  if ((text === undefined) === (option === undefined)) {
    throw usageFailure('Give the answer in words, or one of the options with --option.')
  }
  refuseOtherRefs(ref)
  const client = await openClient(cli)
  const id = isUuid(ref) ? ref : (await requireOpen(client, ref)).id
  const chosen = option === undefined ? { text: text ?? '' } : { optionId: option }
  const answered = await client.call('answerQuestion', { id, ...chosen })
  const { question, executionRequest } = answered
  const { details } = await import('../output/table.ts')
  const fields = {
    objective: question.displayId,
    question: question.question,
    answer: question.answer?.text,
    'goes on with':
      executionRequest === null ? question.agentIdentifier : `run ${executionRequest.id}`,
  }
  await print(cli, answered, () => details(fields, cli.stdout))
}

async function requireOpen(client: Client, ref: string): Promise<Question> {
  if (isMissionDisplayId(ref)) {
    const { questions } = await client.call('listQuestions', { missionId: ref, status: 'open' })
    return onlyOne(ref, questions, 'is asked about')
  }
  return await openOf(client, ref)
}

async function openOf(client: Client, objectiveId: string): Promise<Question> {
  const found = await client.call('listQuestions', { objectiveId, status: 'open', limit: 1 })
  const [open] = found.questions
  if (open) return open
  throw new CommandFailure(
    'not_found',
    `No agent asks anything about ${objectiveId} now: see svc questions list --objective ${objectiveId} --status all.`,
    exitCode.notFound,
  )
}
