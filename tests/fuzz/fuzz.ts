import { Agent } from 'node:http'
import { domainLoops } from '@svc/domain/handlers/loops'
import { enrol } from '@svc/domain/testing/enrol'
import { createLog } from '@svc/process/log'
import {
  endingLast,
  operations,
  personOperations,
  publicOperations,
} from '@svc/domain/testing/operations'
import fc from 'fast-check'
import { serveAll } from '../serve-all.ts'
import { entryPointCalls, operationCalls } from './calls.ts'
import { templatesOfEntryPoint } from './entry-point-templates.ts'
import { entryPoints } from './entry-points.ts'
import type { Sent } from './request.ts'
import { send } from './send.ts'
import { templatesOf } from './request-templates.ts'

export interface Fuzzed {
  requests: number
  /** Drawn, and no request that can be sent. */
  skipped: number
  /** By status, how often. */
  statuses: Record<string, number>
  /** Each with the request that shows it. */
  violations: string[]
}

export interface FuzzOptions {
  databaseUrl: string
  seed: number
  requests: number
  /** From then on nothing more is sent. */
  signal?: AbortSignal
}

/** Whoever ends their own token gets another one. */
const admin = { workspace: 'here', name: 'alice' }

const all = [...operations, ...personOperations, ...publicOperations]

/** Settings for OAuth and the pages: callers from many networks, and a provider that does not answer. */
const variables = {
  SVC_MCP_ENABLED: 'true',
  SVC_TRUSTED_PROXIES: '127.0.0.1',
  SVC_OPENID_ALLOWED_HOSTS: '127.0.0.1',
  SVC_OPENID_PROVIDERS: JSON.stringify([
    {
      name: 'made',
      issuer: 'http://127.0.0.1:9',
      client: 'svc',
      secret: 'a secret of the client',
      domains: ['example.com'],
      workspace: 'here',
      role: 'viewer',
    },
  ]),
}

/**
 * Calls every operation and every entry point in turn, in another order each round, with inputs that are made anew for
 * each round.
 */
export async function fuzz({ databaseUrl, seed, requests, signal }: FuzzOptions): Promise<Fuzzed> {
  const errors: string[] = []
  const to = { write: (line: string) => void errors.push(line) }
  const log = createLog({ name: 'fuzz', level: 'error', to })
  await using api = await serveAll(databaseUrl, variables, log)
  using agent = disposable(new Agent({ keepAlive: true, maxSockets: 1 }))
  const { url, domain } = api
  const { userId } = await enrol(domain, admin)
  const found: Fuzzed = { requests: 0, skipped: 0, statuses: {}, violations: [] }
  const report = reportTo(found)
  const rounds = Math.ceil(requests / (all.length + entryPoints.length)) + 1 // not all can be sent
  const ofOperation = draw(all, templatesOf, { seed, rounds })
  const ofEntryPoint = draw(entryPoints, templatesOfEntryPoint, { seed: seed + 1, rounds })
  for (let round = 0; round < rounds; round += 1) {
    const { token } = await enrol(domain, admin)
    const context = { domain, baseUrl: url, userId, token, index: round }
    const inTurn = <T>(things: readonly T[]) => shuffled(things, seed + round)
    const calls = [
      ...(await entryPointCalls(
        context,
        inTurn(entryPoints).flatMap((entryPoint) => ofEntryPoint(entryPoint, round)),
      )),
      ...(await operationCalls(
        context,
        endingLast(inTurn(all)).flatMap((operation) => ofOperation(operation, round)),
      )),
    ]
    for (const { who, prepare, judge: judgeAnswer } of calls) {
      if (signal?.aborted) return found
      if (found.requests >= requests) continue
      const sent = await prepare()
      const answer = await send({ agent, url }, sent)
      if (answer === undefined) {
        found.skipped += 1
        continue
      }
      found.requests += 1
      const status = typeof answer === 'string' ? answer : String(answer.status)
      found.statuses[status] = (found.statuses[status] ?? 0) + 1
      const where = { who, how: inWords(sent) }
      report(where, typeof answer === 'string' ? answer : judgeAnswer(sent, answer))
      for (const error of errors.splice(0)) report(where, `logs ${error}`)
    }
    // what they say of a state that must not be is logged as an error
    for (const { run } of domainLoops(domain)) await run()
    const where = { who: `round ${round}`, how: 'seen by the background loops' }
    for (const error of errors.splice(0)) report(where, `logs ${error}`)
  }
  return found
}

/** Each kind of violation once, with the first request that shows it. */
function reportTo({ violations }: Fuzzed) {
  const known = new Set<string>()
  return ({ who, how }: { who: string; how: string }, problem: string | undefined) => {
    const kind = `${who} ${problem?.slice(0, 60)}`
    if (problem === undefined || known.has(kind)) return
    known.add(kind)
    violations.push(`${who} ${problem}\n  ${how}`)
  }
}

/** What is sent to each in each round. */
function draw<T, Template>(
  targets: readonly T[],
  templatesOf: (target: T) => fc.Arbitrary<Template>,
  { seed, rounds }: { seed: number; rounds: number },
): (target: T, round: number) => Template[] {
  const drawn = new Map(
    targets.map((target, index) => {
      const of = { seed: seed * 1009 + index, numRuns: rounds }
      return [target, fc.sample(templatesOf(target), of)]
    }),
  )
  return (target, round) => drawn.get(target)?.slice(round, round + 1) ?? []
}

function shuffled<T>(all: readonly T[], seed: number): T[] {
  const [order = []] = fc.sample(fc.shuffledSubarray([...all], { minLength: all.length }), {
    seed,
    numRuns: 1,
  })
  return order
}

function inWords({ method, path, headers, body }: Sent): string {
  const text = typeof body === 'string' ? body : `<${body.length} bytes>`
  const shownHeaders = headers.join(' ').replace(/Bearer svcut_\w+|svc_session_\S+/, '…')
  return `${method} ${path.slice(0, 300)} [${shownHeaders.slice(0, 300)}] ${text.slice(0, 600)}`
}

function disposable(agent: Agent): Agent & Disposable {
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() })
}
