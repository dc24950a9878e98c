import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { MissionContext } from '@svc/contracts/context'
import { restContracts } from '@svc/contracts/rest'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { Assignment } from '@svc/contracts/assignment'
import { listen } from '@svc/testing/listen'

export interface Received {
  route: string
  body: Record<string, unknown>
  headers: IncomingMessage['headers']
}

export interface ContractService extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
  /** Bytes of the log by run, as they came in. */
  readonly log: () => string
  queue: (assignment: Assignment) => void
  /** Decides the answer of a route; undefined leaves it to the service. */
  answer: (route: string, decide: (body: Record<string, unknown>) => Answer | undefined) => void
  calls: (route: string) => Received[]
  /** What a run was reported to have changed, by all parts together. */
  changes: () => Record<string, unknown> & { files: { filePath: string }[]; patch: string }
  /** Resolves with the first call of that route. */
  called: (route: string, count?: number) => Promise<Received>
  state: { attached: boolean; outcome: string | null }
}

interface Answer {
  status: number
  json: unknown
}

/** What is answered with nothing but that it has come. */
const unanswered = new Set([
  'reportRunFiles',
  'reportRunPatches',
  'completeRunFiles',
  'reportCheck',
])

/** A real HTTP server that speaks the runner's part of the contract and checks every body against it. */
export async function openContractService(): Promise<ContractService> {
  const received: Received[] = []
  const queued: Assignment[] = []
  const given = new Map<unknown, Assignment>()
  const log: Buffer[] = []
  const logEnds = new Map<string, number>()
  const decisions = new Map<string, (body: Record<string, unknown>) => Answer | undefined>()
  const state: ContractService['state'] = { attached: false, outcome: null }

  function usual(route: string, body: Record<string, unknown>): unknown {
    if (route === 'claimExecutionRequest') return claimAnswer(nextFor(body['claimId']), body)
    if (route === 'heartbeatRunner') return heartbeatAnswer(body, state)
    if (route === 'appendRunLog') {
      const bytes = body['bytes'] as Buffer
      const lease = `${String(body['id'])} ${String(body['x-svc-lease'])}`
      const [offset, end] = [Number(body['x-svc-offset']), logEnds.get(lease) ?? 0]
      if (offset < end || bytes.length === 0) return { nextOffset: end }
      log.push(bytes)
      logEnds.set(lease, offset + bytes.length)
      return { nextOffset: offset + bytes.length }
    }
    if (route === 'load-context') return lastContext
    if (route === 'reserveBranch') return branchesAnswer(body, lastAssignment)
    if (unanswered.has(route)) return {}
    return { executionRequest: lastAssignment?.executionRequest }
  }

  /** A runner that gives up a claim on its way repeats it under its id, and gets what it was given. */
  function nextFor(claimId: unknown): Assignment | undefined {
    const next = given.get(claimId) ?? queued.shift()
    if (next !== undefined) given.set(claimId, next)
    return next
  }

  let lastAssignment: Assignment | undefined
  let lastContext: MissionContext | undefined

  const server = createServer((request, response) => {
    void handle(request, response)
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { route, params } = routeOf(request)
    const body = { ...params, ...(await readBody(request, route)) }
    received.push({ route, body, headers: request.headers })
    const decided = decisions.get(route)?.(body)
    const { status, json } = decided ?? { status: 200, json: usual(route, body) }
    if (status === 0) return void request.socket.destroy()
    if (status === noAnswer.status) return
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }

  const calls = (route: string) => received.filter((call) => call.route === route)
  return {
    ...(await listen(server)),
    received,
    log: () => Buffer.concat(log).toString('utf8'),
    queue(assignment) {
      lastAssignment = Assignment.parse(assignment)
      lastContext = contextOf(lastAssignment)
      queued.push(lastAssignment)
    },
    answer: (route, decide) => decisions.set(route, decide),
    calls,
    changes: () => ({
      ...calls('completeRunFiles')[0]?.body,
      files: calls('reportRunFiles').flatMap(({ body }) => body['files'] as { filePath: string }[]),
      patch: calls('reportRunPatches')
        .flatMap(({ body }) => body['patches'] as { patch: string }[])
        .map(({ patch }) => patch)
        .join(''),
    }),
    async called(route, count = 1) {
      for (;;) {
        const call = calls(route)[count - 1]
        if (call !== undefined) return call
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    state,
  }
}

export function refusal(code: string, status = 409, details?: object): Answer {
  return { status, json: { error: { code, message: code, details, requestId: randomUUID() } } }
}

/** The connection breaks before any answer. */
export const brokenConnection: Answer = { status: 0, json: null }

/** The connection stands, and no answer comes. */
export const noAnswer: Answer = { status: -1, json: null }

/** What the agent of a run is given, where the runner asks for it. */
export const agentToken = `svcrt_${'b2'.repeat(59)}x`

function claimAnswer(request: Assignment | undefined, body: Record<string, unknown>) {
  return {
    request: request ?? null,
    ...(request && { leaseToken: `k1.${request.executionRequest.generation}` }),
    ...(request && body['mintAgentToken'] === true && { agentToken }),
    leaseSeconds: 6,
    heartbeatSeconds: 0.3,
    waited: false,
    nextPollSeconds: 0.05,
    directives: [],
    serverTime: new Date().toISOString(),
  }
}

/** Reserves whatever name is asked for. */
function branchesAnswer(body: Record<string, unknown>, assignment: Assignment | undefined) {
  const wanted = body['wanted'] as { branch: string } | null
  const { branches, executionRequest } = assignment ?? {}
  const reserved = wanted && { branch: wanted.branch, runnerId: executionRequest?.runnerId }
  return { branches, reserved }
}

function heartbeatAnswer(body: Record<string, unknown>, state: ContractService['state']) {
  const leases = body['leases'] as { requestId: string }[]
  return {
    leases: leases.map(({ requestId }) => ({
      requestId,
      ok: true,
      leaseExpiresInSeconds: 3,
      ...state,
    })),
    directives: [],
    serverTime: new Date().toISOString(),
  }
}

function routeOf(request: IncomingMessage): { route: string; params: Record<string, string> } {
  const path = (request.url ?? '').split('?')[0] ?? ''
  const protocol = /^\/api\/protocol\/([a-z-]+)$/.exec(path)?.[1]
  if (protocol) return { route: protocol, params: {} }
  const contracts: Record<string, EndpointContract> = restContracts
  for (const [route, contract] of Object.entries(contracts)) {
    if (contract.method !== request.method) continue
    const names = [...contract.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
    const match = new RegExp(`^${contract.path.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path)
    if (match)
      return {
        route,
        params: Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ''])),
      }
  }
  return { route: path, params: {} }
}

async function readBody(request: IncomingMessage, route: string): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const contract = (restContracts as Record<string, EndpointContract>)[route]
  if (contract?.body === 'bytes') {
    return { ...(contract.headers?.parse(pickHeaders(request)) as object), bytes }
  }
  const body = JSON.parse(bytes.toString('utf8') || '{}') as Record<string, unknown>
  return contract?.body ? (contract.body.parse(body) as Record<string, unknown>) : body
}

function pickHeaders({ headers }: IncomingMessage): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^x-svc-(lease|offset|skipped)$/.test(name)),
  )
}

/** What load-context answers of a run, unless a test decides otherwise. */
export function contextOf({ mission, objective, project, resources }: Assignment): MissionContext {
  return MissionContext.parse({
    mission,
    project,
    currentObjective: objective,
    previousObjectives: [],
    futureObjectives: [],
    history: [],
    deliveries: [],
    artifacts: [],
    attachments: [],
    sharedState: [],
    projectResources: resources,
    agentInstructions: 'Call svc protocol attach first.',
    truncated: false,
  })
}
