import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@svc/client/client'
import { limits } from '@svc/contracts/limits'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Command } from 'commander'
import { type Cli, openClient, print, write } from '../cli.ts'
import { usageFailure } from '../output/failure.ts'
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
    .option('-n, --lines <number>', 'only its last lines, as far as the last 1 MiB holds them')
    .option('--from <offset>', 'from this byte on')
    .addHelpText(
      'after',
      '\nWith --json it prints one piece of at most 1 MiB, with the offset of the next one.\n\nExamples:\n  svc logs web:12.k7qd\n  svc logs web:12.k7qd -n 50 -f\n  svc logs web:12.k7qd --raw\n  svc logs web:12.k7qd --from 104857600 --json',
    )
    .action((run: string, options: LogsOptions) => logs(cli, run, options))
}

interface LogsOptions {
  follow?: true
  raw?: true
  lines?: string
  from?: string
}

async function logs(cli: Cli, ref: string, options: LogsOptions): Promise<void> {
  const lines = wholeNumber('--lines', options.lines)
  const from = wholeNumber('--from', options.from)
  const client = await openClient(cli)
  const { id } = await requireRun(client, ref)
  const first = lines === undefined ? { id, offset: from ?? 0 } : { id, tail: limits.logChunkBytes }
  if (cli.settings.json) return await printPiece(cli, await readPiece(client, first))
  const shown = createLineSanitizer(options.raw ? undefined : readableLine)
  let piece = await readPiece(client, first)
  const text = shown.add(piece.bytes)
  await write(cli, lines === undefined ? text : lastLines(text, lines, piece.offset > 0))
  while (!cli.signal.aborted) {
    const { nextOffset, ended } = piece
    piece = await readPiece(client, { id, offset: nextOffset })
    if (piece.nextOffset > nextOffset) await write(cli, shown.add(piece.bytes))
    else if (!options.follow || ended) break
    else await sleep(pollMs, undefined, { signal: cli.signal })
  }
  const rest = shown.end()
  if (rest !== '') await write(cli, rest)
}

function wholeNumber(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^[0-9]{1,15}$/.test(given)) return Number(given)
  throw usageFailure(`${option} takes a whole number.`)
}

interface Piece {
  bytes: Uint8Array
  /** Where its bytes begin, behind what is not kept. */
  offset: number
  skipped: number
  nextOffset: number
  length: number
  ended: boolean
}

async function readPiece(client: Client, request: RouteRequest<'getRunLog'>): Promise<Piece> {
  const { bytes, headers } = await client.call('getRunLog', request)
  const numberOf = (name: string, otherwise: number) => Number(headers[name] ?? otherwise)
  const asked = Number(request.offset ?? 0)
  const nextOffset = numberOf('x-svc-next-offset', asked + bytes.length)
  return {
    bytes,
    // what a service of an earlier version does not say
    offset: numberOf('x-svc-offset', asked),
    skipped: numberOf('x-svc-skipped', 0),
    nextOffset,
    length: numberOf('x-svc-length', nextOffset),
    ended: headers['x-svc-ended'] === 'true',
  }
}

/** The first line of what was cut is not one. */
function lastLines(text: string, count: number, isCut: boolean): string {
  const all = text.split('\n').slice(isCut ? 1 : 0, -1)
  const last = count === 0 ? [] : all.slice(-count)
  return last.map((line) => `${line}\n`).join('')
}

async function printPiece(cli: Cli, { bytes, ...piece }: Piece): Promise<void> {
  const text = new TextDecoder().decode(bytes)
  await print(cli, { log: { ...piece, text } }, () => text)
}
