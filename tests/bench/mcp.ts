import { openThrowawayDatabase } from '@svc/tests/soak/database'
import { median, say, table } from './figures.ts'
import type { BareOrder } from './mcp-bare.ts'
import { type Leg, type Message, load } from './mcp-load.ts'
import { type BenchWorld, setUpWorld } from './mcp-world.ts'
import { type BenchProcess, forkBare, startApp } from './processes.ts'
import { inTurn } from './tokens.ts'

const rounds = 3
const legMs = 1_200
const warmUpMs = 1_500

interface Pair {
  gateway: Leg
  bare: Leg
}

export async function run(): Promise<void> {
  await using database = await openThrowawayDatabase()
  const world = await setUpWorld(database.url)
  await using gateway = await startGateway(world.order)
  await using bare = await forkBare(new URL('mcp-bare.ts', import.meta.url), world.order)
  const nextToken = inTurn(world.tokens)
  const measure = (server: BenchProcess, message: Message, milliseconds: number) => {
    const path = server === bare ? message.era : 'mcp'
    return load({ url: `${server.url}/${path}`, message, nextToken }, milliseconds)
  }
  const messages = messagesOf(world)
  for (const message of messages) {
    await Promise.all([gateway, bare].map((server) => measure(server, message, warmUpMs)))
  }
  const measured = messages.map((message) => ({ message, pairs: [] as Pair[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const { message, pairs } of measured) {
      const isFirst = round % 2 === 0
      const early = await measure(isFirst ? gateway : bare, message, legMs)
      const late = await measure(isFirst ? bare : gateway, message, legMs)
      pairs.push(isFirst ? { gateway: early, bare: late } : { gateway: late, bare: early })
    }
  }
  print(measured, world)
}

/** The process that a deployment runs. */
function startGateway({ databaseUrl, secretKeys, poolSize }: BareOrder): Promise<BenchProcess> {
  return startApp('mcp-gateway', (url) => ({
    DATABASE_URL: databaseUrl,
    SVC_BASE_URL: url,
    SVC_MCP_ENABLED: 'true',
    SVC_SECRET_KEYS: secretKeys,
    SVC_POOL_SIZE: String(poolSize),
  }))
}

function messagesOf({ inputs }: BenchWorld): Message[] {
  const eras = ['legacy', 'modern'] as const
  const calls = Object.entries(inputs).flatMap(([name, given]) =>
    eras.map((era) => ({ era, method: 'tools/call' as const, tool: { name, arguments: given } })),
  )
  return [...calls, ...eras.map((era) => ({ era, method: 'tools/list' as const }))]
}

function print(measured: { message: Message; pairs: Pair[] }[], { order }: BenchWorld): void {
  say(
    `16 connections, ${rounds} rounds of ${legMs / 1000} s in turn, each request with a token look-up; medians, no waiting for the disk`,
  )
  for (const [name, { statements }] of Object.entries(order.calls)) {
    say(`${name}: ${statements.length} statement(s) after the look-up, by both alike`)
  }
  const rowOf = ({ message, pairs }: (typeof measured)[number]) => {
    const ratios = pairs.map(({ gateway, bare }) => gateway.callsPerSecond / bare.callsPerSecond)
    return [
      `${message.tool?.name ?? message.method} ${message.era}`,
      String(pairs[0]?.gateway.answerBytes ?? ''),
      figures(pairs.map(({ gateway }) => gateway)),
      figures(pairs.map(({ bare }) => bare)),
      ratios.map((ratio) => ratio.toFixed(2)).join(' '),
      median(ratios).toFixed(2),
    ]
  }
  table([
    ['', 'bytes', 'gateway', 'bare SDK server', 'ratio by round', 'ratio'],
    ['', '', 'calls/s p50 p99 ms', 'calls/s p50 p99 ms', '', ''],
    ...measured.map(rowOf),
  ])
}

function figures(legs: readonly Leg[]): string {
  const of = (pick: (leg: Leg) => number) => median(legs.map(pick))
  const perSecond = Math.round(of((leg) => leg.callsPerSecond))
  return `${perSecond}  ${of((leg) => leg.p50).toFixed(1)}  ${of((leg) => leg.p99).toFixed(1)}`
}
