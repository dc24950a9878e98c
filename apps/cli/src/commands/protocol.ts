import type { Command } from 'commander'
import { type Cli, printJson } from '../cli.ts'
import { attachSession } from '../protocol/attach.ts'
import { callProtocol } from '../protocol/call.ts'
import {
  type Options,
  contentOf,
  scopeOf,
  sessionKeyOf,
  sessionOrScope,
  wholeNumber,
  withContent,
  withScope,
  withSession,
} from '../protocol/options.ts'
import { oneText, readAdvice, structuredOption } from '../structured-options.ts'
import { defineAsk } from './protocol-ask.ts'
import { defineDeliver, defineRecordWork } from './protocol-deliver.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText('after', help)
  defineAttach(command, cli)
  defineLoadContext(command, cli)
  defineUpdate(command, cli)
  defineHeartbeat(command, cli)
  defineAsk(command, cli)
  defineDeliver(command, cli)
  defineRecordWork(command, cli)
  defineAddArtifact(command, cli)
  defineUpdateArtifact(command, cli)
}

const help = `
Answers are JSON on stdout. In a run that svc launched the ids come from the environment and the
session key is remembered after attach. What cannot be sent is kept and sent with the next call.

Examples:
  svc protocol attach --agent claude
  svc protocol update --text "The switch works; tests are next."
  svc protocol ask --question "Which colour should it have?" --wait
  svc protocol deliver --summary "Added the switch." --report-file report.json`

function defineAttach(group: Command, cli: Cli): void {
  withScope(group.command('attach'))
    .description('open the session of this run and read all there is to know')
    .requiredOption('--agent <name>', 'which agent you are, as in claude or codex')
    .option('--model <name>', 'the model behind it')
    .option('--execution-request-id <id>', 'else SVC_EXECUTION_REQUEST_ID')
    .option('--generation <number>', 'else SVC_EXECUTION_GENERATION')
    .option('--external-session-id <id>', "the agent's own id of this conversation")
    .option('--take-over', 'end a session that another agent holds')
    .addHelpText(
      'after',
      '\nExamples:\n  svc protocol attach --agent claude --model opus\n  svc protocol attach --agent codex --objective-id web:12.k7qd',
    )
    .action((options: Options & { takeOver?: boolean }) => attach(cli, options))
}

async function attach(cli: Cli, options: Options & { takeOver?: boolean }): Promise<void> {
  const { generation } = options
  const answer = await attachSession(cli, {
    agentIdentifier: options['agent'],
    modelIdentifier: options['model'],
    missionId: options['missionId'],
    objectiveId: options['objectiveId'],
    executionRequestId: options['executionRequestId'],
    generation: generation ? wholeNumber('--generation', generation) : undefined,
    externalSessionId: options['externalSessionId'],
    takeOver: options.takeOver,
  })
  await printJson(cli, answer)
}

function defineLoadContext(group: Command, cli: Cli): void {
  withScope(group.command('load-context'))
    .description('read a mission without opening a session')
    .addHelpText('after', '\nExamples:\n  svc protocol load-context --mission-id web:12')
    .action(async (options: Options) => {
      await printJson(cli, await callProtocol(cli, 'load-context', scopeOf(cli, options)))
    })
}

function defineUpdate(group: Command, cli: Cli): void {
  const command = withSession(group.command('update'))
    .description('tell people how far the work has come')
    .option('--text <text>', 'what happened, in a sentence or two')
    .option('--text-file <path>', 'the same from a file, - for stdin')
  structuredOption(command, 'change-rationales', 'why files were changed: a list')
    .addHelpText('after', '\nExamples:\n  svc protocol update --text "Parser done, writing tests."')
    .action(async (options: Options) => {
      const answer = await callProtocol(cli, 'update', {
        sessionKey: sessionKeyOf(cli, options),
        text: await oneText(options['text'], options['textFile'], '--text', '--text-file'),
        changeRationales: await readAdvice(options, 'change-rationales'),
      })
      await printJson(cli, answer)
    })
}

function defineHeartbeat(group: Command, cli: Cli): void {
  withSession(group.command('heartbeat'))
    .description('show that you are alive; the answer tells whether to go on')
    .option('--percent <number>', 'how much is done')
    .option('--note <text>')
    .addHelpText(
      'after',
      '\nExamples:\n  svc protocol heartbeat --percent 40 --note "running tests"',
    )
    .action(async (options: Options) => {
      const { percent, note } = options
      const answer = await callProtocol(cli, 'heartbeat', {
        sessionKey: sessionKeyOf(cli, options),
        percent: percent === undefined ? undefined : Number(percent),
        note,
      })
      await printJson(cli, answer)
    })
}

function defineAddArtifact(group: Command, cli: Cli): void {
  withContent(withScope(withSession(group.command('add-artifact'))))
    .description('keep a text or a link with the mission')
    .requiredOption('--type <type>', 'as in next_steps, test_results, pull_request')
    .requiredOption('--label <text>', 'its title')
    .addHelpText(
      'after',
      '\nExamples:\n  svc protocol add-artifact --type next_steps --label "Next steps" --content-file next.md\n  svc protocol add-artifact --type pull_request --label "PR 7" --external-url https://example.com/pr/7',
    )
    .action(async (options: Options) => {
      const { type } = options
      const input = { type, ...(await contentOf(options)), ...sessionOrScope(cli, options) }
      await printJson(cli, await callProtocol(cli, 'add-artifact', input))
    })
}

function defineUpdateArtifact(group: Command, cli: Cli): void {
  withContent(withScope(withSession(group.command('update-artifact'))))
    .description('replace what an artifact says')
    .requiredOption('--artifact-id <id>')
    .requiredOption('--expected-revision <number>', 'the revision you read; another one is refused')
    .option('--label <text>', 'its new title')
    .addHelpText(
      'after',
      '\nExamples:\n  svc protocol update-artifact --artifact-id 0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10 --expected-revision 1 --content-file next.md',
    )
    .action(async (options: Options) => {
      const { artifactId, expectedRevision = '' } = options
      const input = {
        artifactId,
        expectedRevision: wholeNumber('--expected-revision', expectedRevision),
        ...(await contentOf(options)),
        ...sessionOrScope(cli, options),
      }
      await printJson(cli, await callProtocol(cli, 'update-artifact', input))
    })
}
