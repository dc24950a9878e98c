import type { Command } from 'commander'
import { printedByChecks } from '@svc/contracts/check'
import { isServiceError } from '@svc/contracts/errors'
import { type Cli, printJson, say } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'
import { sanitize } from '../output/terminal.ts'
import { callProtocol, spooled } from '../protocol/call.ts'
import {
  type Options,
  sessionKeyOf,
  sessionOrScope,
  withScope,
  withSession,
} from '../protocol/options.ts'
import { oneText, readAdvice, readStructured, structuredOption } from '../structured-options.ts'

export function defineDeliver(group: Command, cli: Cli): void {
  withWork(withSession(group.command('deliver')))
    .description('hand over the finished work; this ends the session')
    .addHelpText(
      'after',
      '\nWhere checks stand before the delivery, it waits until they have run. Cut off, call it again: it joins\nthe same check. What a check printed is on stderr, and nothing is delivered by the first that fails.\n\nExamples:\n  svc protocol deliver --summary "Added the switch."\n  svc protocol deliver --summary-file - --report-file report.json --change-rationales-file why.json',
    )
    .action((options: Options) =>
      handOver(cli, 'deliver', options, { sessionKey: sessionKeyOf(cli, options) }),
    )
}

export function defineRecordWork(group: Command, cli: Cli): void {
  withWork(withScope(withSession(group.command('record-work'))))
    .description('put work that is done already on record, as a delivery')
    .option('--title <text>', 'of the objective that is added when none is named')
    .addHelpText(
      'after',
      '\nExamples:\n  svc protocol record-work --mission-id web:12 --title "Hotfix" --summary "Fixed the login."\n  svc protocol record-work --objective-id web:12.k7qd --summary-file - --change-rationales-file why.json',
    )
    .action((options: Options) =>
      handOver(cli, 'record-work', options, {
        title: options['title'],
        ...sessionOrScope(cli, options),
      }),
    )
}

function withWork(command: Command): Command {
  command
    .option('--summary <text>', 'what was done, for a person')
    .option('--summary-file <path>', 'the same from a file, - for stdin')
  structuredOption(
    command,
    'report',
    'humanActions, tradeoffsMade, risks, deferredWork, assumptions',
  )
  structuredOption(
    command,
    'artifacts',
    'things to keep: a list of {type, label, contentText or externalUrl}',
  )
  return structuredOption(command, 'change-rationales', 'why files were changed: a list')
}

async function handOver(
  cli: Cli,
  operation: 'deliver' | 'record-work',
  options: Options,
  named: Record<string, unknown>,
): Promise<void> {
  const { summary, summaryFile } = options
  const work = {
    ...named,
    summary: await oneText(summary, summaryFile, '--summary', '--summary-file'),
    report: await readAdvice(options, 'report'),
    artifacts: await readStructured(options, 'artifacts'),
    changeRationales: await readAdvice(options, 'change-rationales'),
  }
  const answer = await callProtocol(cli, operation, work).catch((error: unknown) => {
    const printed = isServiceError(error) ? printedByChecks(error.details) : undefined
    if (printed !== undefined) say(cli, sanitize(printed))
    throw error
  })
  await printJson(cli, answer)
  if (answer !== spooled) return
  const message = `The delivery is not accepted yet: call ${operation} again, which is safe.`
  throw new CommandFailure('unreachable', message, exitCode.unreachable)
}
