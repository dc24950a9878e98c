import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '@svc/contracts/limits'
import type { ProtocolOutput } from '@svc/contracts/protocol'
import type { Command } from 'commander'
import { type Cli, printJson, say } from '../cli.ts'
import { appendTo } from '../choices.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, describeFailure, usageFailure } from '../output/failure.ts'
import { callProtocol, mayPass, spooled } from '../protocol/call.ts'
import { sessionKeyOf, withSession } from '../protocol/options.ts'
import { oneText } from '../structured-options.ts'

interface Options extends Record<string, unknown> {
  option: string[]
  wait?: true | string
  onlyOptions?: true
  supersede?: true
}

export function defineAsk(group: Command, cli: Cli): void {
  withSession(group.command('ask'))
    .description('ask what only a person can decide; the work goes on with the answer')
    .option('--question <text>', 'what you must know, with what it depends on')
    .option('--question-file <path>', 'the same from a file, - for stdin')
    .option('--question-id <id>', 'in place of a new one: wait on with what you asked before')
    .option('--option <id=label>', 'an answer to choose from; repeat it for each', appendTo, [])
    .option('--only-options', 'take no answer in other words')
    .option('--supersede', 'take back the question that is open')
    .option('--wait [seconds]', 'wait for the answer: for so long, or until it is there')
    .addHelpText(
      'after',
      '\nWhile nobody has answered it exits with 10. Then end your work without delivering: it goes on\nwhere it was when the answer is there.\n\nExamples:\n  svc protocol ask --question "Drop Node 18?" --option yes=Drop --option no=Keep --wait 120\n  svc protocol ask --question-file - --wait',
    )
    .action((options: Options) => ask(cli, options))
}

async function ask(cli: Cli, options: Options): Promise<void> {
  const sessionKey = sessionKeyOf(cli, { sessionKey: textOf(options['sessionKey']) })
  const question = await oneText(
    options['question'],
    options['questionFile'],
    '--question',
    '--question-file',
  )
  const until = deadlineOf(options.wait)
  const first = await callProtocol(cli, 'ask', {
    sessionKey,
    question,
    questionId: textOf(options['questionId']),
    ...(options.option.length > 0 && { options: options.option.map(readOption) }),
    ...(options.onlyOptions && { allowFreeText: false }),
    ...(options.supersede && { supersede: true }),
    waitSeconds: secondsUntil(until),
  })
  const answer = await waitOn(cli, sessionKey, asked(first), until)
  await printJson(cli, answer)
  if (answer.status !== 'open') return
  throw new CommandFailure(
    'question_open',
    `Nobody has answered yet. End your work without delivering, and it goes on with the answer; or wait on: svc protocol ask --question-id ${answer.questionId} --wait`,
    exitCode.questionOpen,
  )
}

type Answer = ProtocolOutput<'ask'>

/** In steps, each of them a sign of life; a service that is away for a while is waited for too. */
async function waitOn(
  cli: Cli,
  sessionKey: string | undefined,
  first: Answer,
  until: number,
): Promise<Answer> {
  const { questionId } = first
  let answer = first
  while (answer.status === 'open' && answer.directive === 'continue' && Date.now() < until) {
    say(cli, 'waiting for the answer')
    const input = { sessionKey, questionId, waitSeconds: secondsUntil(until) }
    try {
      answer = asked(await callProtocol(cli, 'ask', input))
    } catch (error) {
      if (!mayPass(error)) throw error
      say(cli, describeFailure(error).line)
      await delay(pauseMs, undefined, { signal: cli.signal })
    }
  }
  return answer
}

const pauseMs = 2_000

/** Only what can wait is ever kept for later, and a question cannot. */
function asked(answer: Answer | typeof spooled): Answer {
  if (answer === spooled) throw new Error('a question was kept in place of being sent')
  return answer as Answer // the other one is excluded by the line above
}

function deadlineOf(wait: Options['wait']): number {
  if (wait === undefined) return 0
  if (wait === true) return Infinity
  if (!/^\d+$/.test(wait)) throw usageFailure(`--wait takes whole seconds, not ${wait}.`)
  return Date.now() + Number(wait) * 1000
}

function secondsUntil(until: number): number {
  return Math.max(0, Math.min(limits.askWaitSeconds, (until - Date.now()) / 1000))
}

function readOption(text: string): { id: string; label: string } {
  const [, id, label] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (id === undefined || label === undefined) {
    throw usageFailure(`--option reads <id>=<label>, as in yes="Drop it", not ${text}.`)
  }
  return { id, label }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
