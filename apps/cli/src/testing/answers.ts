import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { Readable, pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { noBudget, noUsage } from '@svc/contracts/usage'
import { adviseOnMission } from '@svc/domain/next-steps/overview'
import { adviseOnQueue } from '@svc/domain/next-steps/queues'
import { adviseOnRun } from '@svc/domain/next-steps/runs'
import { type Listening, listen } from '@svc/testing/listen'
import { beforeAll, beforeEach } from 'vitest'
import { runInTest } from './cli.ts'

export const id = (last: string) => `0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b${last}`
export const at = '2026-01-02T03:04:05.000Z'
/** The same where the tests are. */
export const shownAt = '2026-01-02 08:49:05 +05:45'

export const mission = {
  id: id('01'),
  displayId: 'web:12',
  projectId: id('02'),
  title: 'Dark mode \u001b[31mnow',
  status: { id: id('03'), type: 'execute', label: 'In progress' },
  phase: 'execute',
  priority: 'normal',
  active_branch: null,
  allowParallelObjectives: false,
  auto_advance: false,
  useWorktrees: null,
  hasOpenQuestion: false,
  budget: noBudget,
  launches: 0,
  usage: noUsage,
  revision: 1,
  createdAt: at,
  updatedAt: at,
}
export const objective = {
  id: id('04'),
  displayId: 'web:12.k7qd',
  state: 'submitted',
  title: 'Add a switch',
  instruction: 'Add a switch.\nTest it.',
  lastOutcome: null,
  assigned_agent: null,
}
export const request = {
  id: id('05'),
  missionId: mission.id,
  objectiveId: objective.id,
  status: 'queued',
  outcome: null,
  agent: 'claude',
  source: 'cli',
  resourceKey: null,
  onlyRunner: null,
  failure: null,
  exit: null,
  usage: null,
  seconds: null,
  otherBranches: [],
  warnings: [],
  createdAt: at,
}
/** The same as a list has it. */
export const listedRun = {
  ...request,
  mission: { displayId: mission.displayId, title: mission.title },
  objective: { displayId: objective.displayId, title: objective.title },
  deleted: false,
  lastHeardAt: null,
}
export const statuses = [
  { id: id('06'), type: 'execute', label: 'In progress' },
  { id: id('07'), type: 'review', label: 'In review' },
]
export const event = (last: string, type: string, summary: string) => ({
  id: id(last),
  objectiveId: objective.id,
  type,
  summary,
  actor: { name: 'alice', role: 'member' },
  createdAt: at,
})

/** A feed of one change after the other, so that whoever follows it looks again and again. */
export const changes = () => Readable.from(tellChanges())

async function* tellChanges() {
  for (let cursor = 1; ; cursor += 1) {
    yield `id: ${cursor}\nevent: change\ndata: {}\n\n`
    await delay(20)
  }
}

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>
type Answer = (body: unknown, request: IncomingMessage) => unknown

let server: Listening | undefined
export let routes: Record<string, Answer>
export let calls: { route: string; body: unknown }[]

/**
 * Gives the tests of a file a service with the answers that they write into `routes`; it keeps what it was asked in
 * `calls`. They run far from UTC.
 */
export function useAnswers(): void {
  beforeAll(() => {
    const before = process.env['TZ']
    process.env['TZ'] = 'Asia/Kathmandu'
    return () => {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  })
  beforeAll(async () => {
    const opened = createServer((incoming, outgoing) => void respond(incoming, outgoing))
    const listening = await listen(opened)
    server = listening
    return async () => {
      await listening[Symbol.asyncDispose]()
      server = undefined
    }
  })
  beforeEach(() => {
    routes = {}
    calls = []
  })
}

const respond: Respond = async (incoming, outgoing) => {
  const route = `${incoming.method} ${incoming.url}`
  const sent = await text(incoming)
  const body: unknown = sent === '' ? undefined : JSON.parse(sent)
  calls.push({ route, body })
  const answer = told(route, routes[route]?.(body, incoming))
  if (answer instanceof Uint8Array) {
    outgoing.writeHead(200, { 'x-svc-next-offset': String(answer.length), 'x-svc-ended': 'true' })
    outgoing.end(answer)
    return
  }
  if (answer instanceof Readable) {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    pipeline(answer, outgoing, () => undefined)
    return
  }
  const missing = { error: { code: 'not_found', message: `No ${route} here.`, requestId: 'r' } }
  const status = isRefusal(answer) ? 400 : 200
  outgoing.writeHead(answer === undefined ? 404 : status, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify(answer ?? missing))
}

/** What `svc missions show` reads of the mission. */
export interface Served {
  mission?: object
  objectives?: readonly object[]
  runs?: readonly object[]
  questions?: readonly object[]
  queues?: readonly object[]
  deliveries?: readonly object[]
  artifacts?: readonly object[]
  events?: readonly object[]
  /** What the one runner offers, which is connected. */
  agents?: readonly string[]
  branches?: readonly object[]
}

export function serveMission(served: Served): void {
  const { objectives = [], runs = [], questions = [], queues = [], deliveries = [] } = served
  const { artifacts = [], events = [], agents = ['claude', 'codex'], branches = [] } = served
  const of = served.mission ?? mission
  const runners = [
    { label: 'box', state: 'connected', agents },
    { label: 'attic', state: 'unavailable', agents: ['gone'] },
  ]
  // as much of each as the command line reads, which is less than the service's own types have
  const own = { mission: of, objectives, executionRequests: runs }
  const known = { ...own, questions, queues, deliveries, artifacts, branches, events, runners }
  routes['GET /api/missions/web%3A12'] = () => ({ mission: of, objectives })
  routes['GET /api/missions/web%3A12/overview'] = () => adviseOnMission(known as never, anybody)
  routes['GET /api/execution-requests?limit=50&missionId=web%3A12'] = () => ({
    executionRequests: runs,
  })
  routes['GET /api/branches?limit=200&missionId=web%3A12'] = () => ({ branches })
  routes['GET /api/me'] = () => ({ role: 'member', token: null })
  routes['GET /api/runners'] = () => ({ runners })
}

const anybody = () => true

/** What the service makes by its rules of what a test has it read. */
function told(route: string, answer: unknown): unknown {
  if (answer === undefined || isRefusal(answer)) return answer
  // what these tests serve is as much of each as the command line reads
  const { queues, executionRequest: run } = answer as { queues?: never[]; executionRequest?: never }
  if (queues && /^GET \/api\/projects\/[^/]+\/run-queues$/.test(route)) {
    const whole = queues.map((queue: object) => ({ entries: [], ...queue }))
    return { queues: whole.map((queue) => adviseOnQueue(queue as never, 'web', anybody)) }
  }
  const isOfRun = run && /^GET \/api\/execution-requests\/[0-9a-f-]{36}$/.test(route)
  return isOfRun ? adviseOnRun(run, besideRun(run) as never, anybody) : answer
}

function besideRun({ missionId, objectiveId }: { missionId: string; objectiveId: string }) {
  const { objective: one } = read(`GET /api/objectives/${objectiveId}`)
  const { mission: of = mission } = read(`GET /api/missions/${missionId}`)
  const { runners } = read('GET /api/runners')
  const { events = [] } = read(`GET /api/missions/${missionId}/events?limit=200`)
  return { of: one && { objective: one, phase: of.phase }, runners, events }
}

interface Read {
  objective?: object
  mission?: { phase: string }
  runners?: object[]
  events?: object[]
}

function read(route: string): Read {
  // what a test serves for reading asks nothing of the call
  return (routes[route]?.(undefined, undefined as never) ?? {}) as Read
}

function isRefusal(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'error' in answer
}

/** What a command finds that service by. */
export function environment() {
  if (server === undefined) throw new Error('call useAnswers() at the head of the file')
  return { SVC_BACKEND_URL: server.url, SVC_USER_TOKEN: 'token' }
}

export function svc(...argv: string[]) {
  return runInTest(environment(), ...argv)
}
