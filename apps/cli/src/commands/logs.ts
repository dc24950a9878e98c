import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Cli, openClient, write } from '../cli.ts'
import { requireRun } from '../run-ref.ts'
import { readableLine } from '../output/event-text.ts'
import { createLineSanitizer } from '../output/terminal.ts'

const pollMs = 1_000

export function define(command: Command, cli: Cli): void {
  command
    .argument(
      '<run>',
      'id of the run, or display id of the objective for its latest, or of a mission with one such objective',
    )
    .option('--raw', 'as it came, where the agent prints events as JSON')
    .option('-f, --follow', 'wait for more until the run has ended')
    .addHelpText(
      'after',
      '\nExamples:\n  svc logs web:12.k7qd\n  svc logs web:12.k7qd -f\n  svc logs web:12.k7qd --raw',
    )
    .action((run: string, options: LogsOptions) => logs(cli, run, options))
}

interface LogsOptions {
  follow?: true
  raw?: true
}

async function logs(cli: Cli, ref: string, options: LogsOptions): Promise<void> {
  const client = await openClient(cli)
  const { id } = await requireRun(client, ref)
  const lines = createLineSanitizer(options.raw ? undefined : readableLine)
  for (let offset = 0; !cli.signal.aborted;) {
    const { bytes, headers } = await client.call('getRunLog', { id, offset })
    const next = Number(headers['x-svc-next-offset'] ?? offset + bytes.length)
    const text = lines.add(bytes)
    if (text !== '') await write(cli, text)
    if (next > offset) offset = next
    else if (!options.follow || headers['x-svc-ended'] === 'true') break
    else await sleep(pollMs, undefined, { signal: cli.signal })
  }
  const rest = lines.end()
  if (rest !== '') await write(cli, rest)
}
