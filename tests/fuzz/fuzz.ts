import { Agent } from 'node:http'
import type { Domain } from '@svc/domain/domain'
import { domainLoops } from '@svc/domain/handlers/loops'
import { authenticate } from '@svc/domain/access/authenticate'
import { ensureMember, ensureWorkspace, issueToken } from '@svc/domain/workspaces/set-up'
import { createLog } from '@svc/process/log'
import { furnish } from '@svc/testing/furnished'
import { type Operation, endingLast, operations, personOperations } from '@svc/testing/operations'
import { personWith } from '@svc/testing/people'
import { signedIn } from '@svc/testing/signed-in'
import fc from 'fast-check'
import { serveAll } from '../serve-all.ts'
import { judge } from './judge.ts'
import { type Sent, requestOf } from './request.ts'
import { send } from './send.ts'
import { type Shot, shotsAt } from './shots.ts'

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
}

const all = [...operations, ...personOperations]

/** Every operation in turn, in another order each round, about things that are made anew for each round. */
export async function fuzz({ databaseUrl, seed, requests }: FuzzOptions): Promise<Fuzzed> {
  const errors: string[] = []
  const to = { write: (line: string) => void errors.push(line) }
  const log = createLog({ name: 'fuzz', level: 'error', to })
  await using api = await serveAll(databaseUrl, log)
  using agent = disposable(new Agent({ keepAlive: true, maxSockets: 1 }))
  const { url, domain } = api
  const { userId } = await authenticate(domain, await tokenOfAdmin(domain), 'api')
  const browserFor = async (operation: Operation) =>
    personOperations.includes(operation) ? signedIn(domain, { userId, baseUrl: url }) : undefined
  const found: Fuzzed = { requests: 0, skipped: 0, statuses: {}, violations: [] }
  const report = reportTo(found)
  const rounds = Math.ceil(requests / all.length) + 1 // not all can be sent
  const shots = drawShots(seed, rounds)
  for (let round = 0; round < rounds; round += 1) {
    const token = await tokenOfAdmin(domain)
    const furnished = await furnish({ domain }, personWith(domain, token))
    for (const operation of endingLast(shuffled(all, seed + round))) {
      const shot = shots.get(operation)?.[round]
      if (!shot || found.requests >= requests) continue
      const sent = requestOf(shot, { token, browser: await browserFor(operation), furnished })
      const answer = await send({ agent, url }, sent)
      if (answer === undefined) {
        found.skipped += 1
        continue
      }
      found.requests += 1
      const status = typeof answer === 'string' ? answer : String(answer.status)
      found.statuses[status] = (found.statuses[status] ?? 0) + 1
      const where = { who: `${operation.name} by ${shot.via}`, how: inWords(sent) }
      report(where, typeof answer === 'string' ? answer : judge(shot, sent, answer))
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

async function tokenOfAdmin(domain: Domain): Promise<string> {
  const workspaceId = await ensureWorkspace(domain, { slug: 'here', name: 'Here' })
  const email = 'alice@example.com'
  const member = { workspaceId, email, name: 'alice', role: 'admin' } as const
  const userId = await ensureMember(domain, member)
  const order = { workspaceId, userId, label: 'own', preset: 'full', expiresInDays: 90 } as const
  return issueToken(domain, order)
}

function drawShots(seed: number, rounds: number): ReadonlyMap<Operation, readonly Shot[]> {
  return new Map(
    all.map((operation, index) => {
      const of = { seed: seed * 1009 + index, numRuns: rounds }
      return [operation, fc.sample(shotsAt(operation), of)]
    }),
  )
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
  const told = headers.join(' ').replace(/Bearer svcut_\w+|svc_session_\S+/, '…')
  return `${method} ${path.slice(0, 300)} [${told.slice(0, 300)}] ${text.slice(0, 600)}`
}

function disposable(agent: Agent): Agent & Disposable {
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() })
}
