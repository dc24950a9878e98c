import type { FeedEvent } from '@svc/contracts/feed'
import type { Command } from 'commander'
import { type Cli, openClient, write } from '../cli.ts'
import { localClock } from '../output/local-time.ts'
import { jsonLine, oneLine, paint } from '../output/terminal.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('[mission]', 'display id or UUID; the whole workspace when left out')
    .option('--cursor <cursor>', 'go on after this event, from --json')
    .addHelpText(
      'after',
      '\nOne line for each change that you may see, and for the length of each log that grows. With --json each line is an event\nwith its id, which is the cursor to go on from; the first one says where it begins.\n\nExamples:\n  svc feed\n  svc feed web:12 --json\n  svc feed --cursor 734.2.733 --json',
    )
    .action((mission: string | undefined, options: Options) => follow(cli, mission, options))
}

interface Options {
  cursor?: string
}

async function follow(cli: Cli, missionId: string | undefined, options: Options): Promise<void> {
  const client = await openClient(cli)
  const request = { ...options, ...(missionId !== undefined && { missionId }), signal: cli.signal }
  for await (const event of client.feed(request)) {
    const line = cli.settings.json ? jsonLine(event) : lineOf(cli, event)
    if (line !== undefined) await write(cli, line)
  }
}

function lineOf({ stdout }: Cli, { event, data }: FeedEvent): string | undefined {
  if (event === 'start') return undefined
  if (event === 'reset') return 'Changes are missing here: the cursor is older than what is kept.'
  const [what, id, said] =
    event === 'log'
      ? ['execution_request log', data.executionRequestId, `${data.bytes} bytes`]
      : [`${data.entity} ${data.operation}`, data.entityId, wordsOf(data)]
  const time = paint('dim', localClock(data.at), stdout)
  return `${time}  ${paint('cyan', oneLine(what).padEnd(32), stdout)}  ${id}  ${oneLine(said)}`.trimEnd()
}

type Change = Extract<FeedEvent, { event: 'change' }>['data']

/** What a person looks for: what it has become, or what was said. */
function wordsOf({ data, revision }: Change): string {
  const known = ['state', 'status', 'label', 'summary', 'kind'].map((name) => data[name])
  const words = known.filter((one) => typeof one === 'string')
  return [...words, ...(revision === null ? [] : [`revision ${revision}`])].join(', ')
}
