import { randomBytes } from 'node:crypto'
import { builtInEventTypes } from '@svc/contracts/events'
import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
import { PayloadMode, defaultPayloadMode } from '@svc/contracts/webhook-subscription'
import type { Command } from 'commander'
import { oneOf, someOf } from '../choices.ts'
import { type Cli, openClient, say, write } from '../cli.ts'
import { isUnreachable, usageFailure } from '../output/failure.ts'
import { localClock } from '../output/local-time.ts'
import { jsonLine, oneLine, paint } from '../output/terminal.ts'
import { type Forwarded, forward } from '../webhooks/forward.ts'

type Request = RouteRequest<'listWebhookEvents'>
type Event = RouteOutput<'listWebhookEvents'>['events'][number]

const pollMs = 1_000
/** As many as are sent to a webhook at a time, so that one that hangs does not hold up the others. */
const atOnce = 8

/** Events without a webhook, for a receiver that has no public address. */
export function defineListen(command: Command, cli: Cli): void {
  command
    .command('listen')
    .description('post what happens to an address that only this machine reaches, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'where events are posted to')
    .addOption(someOf('--event <type>', 'only these; may be repeated', builtInEventTypes))
    .option('--project <project>', 'only events of this project')
    .addOption(
      oneOf('--mode <mode>', 'how much payloads hold', PayloadMode.options, defaultPayloadMode),
    )
    .addHelpText(
      'after',
      '\nEach event is posted once, as to a webhook, and signed with a secret that is made for this command. With --json the\nfirst line holds the secret, and each further one an event with what came of it.\n\nExamples:\n  svc webhooks listen --forward-to http://localhost:3000/hook\n  svc webhooks listen --forward-to http://localhost:3000/hook --event mission.delivered --mode full --json',
    )
    .action((options: Options) => listen(cli, options))
}

interface Options {
  forwardTo: string
  event: string[]
  project?: string
  mode: string
}

async function listen(cli: Cli, options: Options): Promise<void> {
  const url = requireUrl(options.forwardTo)
  using interrupted = onInterrupt()
  const signal = AbortSignal.any([cli.signal, interrupted.signal])
  const secret = `whsec_${randomBytes(32).toString('base64url')}`
  const sending = new Set<Promise<void>>()
  let [taken, failed] = [0, 0]
  const send = async (event: Event) => {
    const found = await forward(url, secret, event, signal)
    if (found === undefined) return
    if (found.outcome === 'delivered') taken += 1
    else failed += 1
    await show(cli, event, found)
  }
  const begin = async () => {
    say(cli, `Events are posted to ${url} until Ctrl-C. Their secret is shown this once:`)
    await write(cli, cli.settings.json ? jsonLine({ secret, forwardTo: url }) : secret)
  }
  for await (const event of followEvents(cli, options, { begin, signal })) {
    while (sending.size >= atOnce) await Promise.race(sending)
    const one = send(event).finally(() => sending.delete(one))
    sending.add(one)
  }
  await Promise.all(sending)
  say(cli, `Taken: ${taken}, failed: ${failed}.`)
}

function requireUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href
  throw usageFailure('--forward-to takes an address such as http://localhost:3000/hook.')
}

function onInterrupt(): { signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', stop).off('SIGTERM', stop),
  }
}

interface Following {
  /** From here on nothing that happens is missed. */
  begin: () => Promise<void>
  signal: AbortSignal
}

/** From now on, by a cursor: what happens while the service is away comes once it is back. */
async function* followEvents(cli: Cli, options: Options, { begin, signal }: Following) {
  const { sleep } = await import('@svc/client/retry')
  const client = await openClient(cli)
  const wanted: Request = {
    // The service knows the modes and names what it does not know.
    payloadMode: options.mode as NonNullable<Request['payloadMode']>,
    ...(options.event.length > 0 && { eventTypes: options.event.join(',') }),
    ...(options.project !== undefined && { projectId: options.project }),
  }
  let { cursor } = await client.call('listWebhookEvents', wanted, { signal })
  await begin()
  let isAway = false
  while (!signal.aborted) {
    try {
      const page = await client.call('listWebhookEvents', { ...wanted, cursor }, { signal })
      if (page.isReset) say(cli, 'Events are missing here: they are not kept any more.')
      yield* page.events
      cursor = page.cursor
      isAway = false
      if (page.isMore) continue
    } catch (error) {
      if (signal.aborted) return
      if (!isUnreachable(error)) throw error
      if (!isAway) say(cli, 'The service cannot be reached; waiting for it …')
      isAway = true
    }
    await sleep(pollMs, signal).catch(() => undefined)
  }
}

async function show(cli: Cli, event: Event, found: Forwarded): Promise<void> {
  const { id, type, occurredAt, mode } = event
  if (cli.settings.json) return write(cli, jsonLine({ id, type, occurredAt, mode, ...found }))
  const { stdout } = cli
  const { outcome, status, error, answer, milliseconds } = found
  const time = paint('dim', localClock(occurredAt), stdout)
  const result = outcome === 'delivered' ? 'taken' : paint('red', 'failed', stdout)
  const words = [result, error ?? String(status), `${milliseconds} ms`]
  const said = outcome === 'delivered' ? '' : `  ${oneLine(answer)}`
  const what = paint('cyan', oneLine(type).padEnd(24), stdout)
  await write(cli, `${time}  ${what}  ${id}  ${oneLine(words.join(', '))}${said}`.trimEnd())
}
