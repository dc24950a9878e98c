import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '@svc/client/client'
import { demonstration } from '@svc/contracts/demonstration'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { ServiceError, isServiceError } from '@svc/contracts/errors'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import { isLive } from '@svc/contracts/states'
import type { WebhookEvent } from '@svc/webhooks/receive'
import type { Composed } from './compose.ts'
import { ensureDemoRepository } from './demo-repository.ts'
import { Fault } from './fault.ts'
import { runnerEnvironment } from './keep-runner.ts'
import { asksOneQuestion, sayNextSteps, svc } from './next-steps.ts'
import { say, sayError } from './speech.ts'
import { entryOf, skipRepeats } from './timeline.ts'

const resourceKey = 'demo-repository'
const deadlineMs = 300_000
/** How long `--once` waits for the webhook of the delivery before it stops everything. */
const lastEventMs = 5_000

const objectives = [
  'Write a greeting into this repository and commit it.',
  'Write down how the greeting was made.',
  `Ask which language the words should be in, then say what should come next.\n${asksOneQuestion}`,
].map((instruction) => ({ instruction }))

interface Options {
  once: boolean
  signal: AbortSignal
}

interface Scene {
  composed: Composed
  client: Client
  signal: AbortSignal
}

/** A PostgreSQL that has ended is started again, and a busy machine takes its time for that. */
const patience = { attempts: 100, mostMs: 1_000 }

const clientOf = ({ baseUrl, owner }: Composed, signal: AbortSignal) =>
  createClient({ baseUrl, token: owner.token, signal, retry: patience })

/** What a start without the demonstration prints in its place. */
export async function sayStart(composed: Composed, signal: AbortSignal): Promise<void> {
  try {
    await sayNextSteps(clientOf(composed, signal), composed)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/**
 * One real objective through the real system. Answers the exit code of `--once`: 0 when the mission is in review and
 * the run's exit was reported.
 */
export async function demonstrate(composed: Composed, options: Options): Promise<number> {
  const deadline = AbortSignal.timeout(deadlineMs)
  const signal = options.once ? AbortSignal.any([options.signal, deadline]) : options.signal
  const client = clientOf(composed, signal)
  const scene = { composed, client, signal }
  try {
    const mission = await ensureMission(scene)
    const heard = Promise.withResolvers<void>()
    await composed.consumer.subscribe(scene.client, (event) => {
      sayWebhook(event)
      if (event.type === 'mission.delivered') heard.resolve()
    })
    const { reached, ran } = await showFirstObjective(scene, mission)
    if (options.once && reached && ran) await Promise.race([heard.promise, delay(lastEventMs)])
    if (options.once && !reached && !ran) {
      throw new Fault(
        'The mission of the demonstration is no longer in review; start with another SVC_DATA_DIR.',
      )
    }
    if (options.once) return reached ? 0 : 1
    await sayNextSteps(scene.client, composed, mission)
    return 0
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason
    if (deadline.aborted) {
      throw new Fault(
        'The demonstration did not reach review in 5 minutes; see svc.log and runner.log in the data folder.',
      )
    }
    throw error
  }
}

/** Made by the first start; every later one finds it. */
async function ensureMission(scene: Scene): Promise<Mission> {
  const { client, composed } = scene
  await ensureDemoRepository(composed.data.demoRepository)
  const project = await ensureProject(client)
  await linkRepository(scene)
  const { missions } = await client.call('listMissions', { projectId: project, limit: 200 })
  const oldest = missions.at(-1)
  if (oldest) return oldest
  const { mission } = await client.call(
    'createMission',
    { projectId: project, title: 'Greet the world', objectives },
    { idempotencyKey: `demonstration-${project}` },
  )
  return mission
}

/** A line of the timeline, as the consumer of webhooks sees it. */
function sayWebhook(event: WebhookEvent): void {
  const at = typeof event['occurredAt'] === 'string' ? new Date(event['occurredAt']) : new Date()
  say(
    `  ${at.toLocaleTimeString('en-GB')}  ${'webhook'.padEnd(18)}${event.type}, signature verified`,
    'dim',
  )
}

async function ensureProject(client: Client): Promise<string> {
  try {
    const { project } = await client.call('createProject', demonstration)
    return project.id
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'already_exists') throw error
    const { project } = await client.call('getProject', { id: demonstration.slug })
    return project.id
  }
}

/** Through the command, as a person links a repository. */
async function linkRepository({ composed, signal }: Scene): Promise<void> {
  const cli = fileURLToPath(import.meta.resolve('@svc/cli/main'))
  const { data, owner, baseUrl } = composed
  const args = [
    cli,
    'resource',
    'link',
    demonstration.slug,
    data.demoRepository,
    '--key',
    resourceKey,
    '--json',
  ]
  await promisify(execFile)(process.execPath, args, {
    signal,
    env: {
      ...runnerEnvironment(),
      SVC_BACKEND_URL: baseUrl,
      SVC_USER_TOKEN: owner.token,
      SVC_RUNNER_HOME: data.runnerHome,
    },
  })
}

/** Launches the first objective unless it is done or under way, and shows what happens until it has ended. */
async function showFirstObjective(
  scene: Scene,
  mission: Mission,
): Promise<{ reached: boolean; ran: boolean }> {
  const startedAt = Date.now()
  const { client } = scene
  const { first, phase } = await readNow(client, mission)
  if (first.state === 'complete') {
    say(`${first.displayId} was delivered before; the mission is in ${phase}.`)
  } else {
    say(`\n${mission.displayId} ${mission.title}: ${first.title}`, 'bold')
    await launchWhenConnected(scene, first)
  }
  const request = await newestRequest(client, first)
  const showing = new AbortController()
  const shown = showTimeline(scene, mission, startedAt, showing.signal).catch((error: unknown) => {
    // what is shown comes from the requests below; without the feed the lines between are missing
    if (!showing.signal.aborted) sayError(`The timeline ended early: ${String(error)}`)
  })
  try {
    const reached = await waitForEnd(scene, first, request)
    return { reached, ran: first.state !== 'complete' }
  } finally {
    showing.abort()
    await shown
  }
}

/** Reads all of it as of one moment: an agent of an earlier start may be delivering just now. */
async function readNow(
  client: Client,
  { id }: Mission,
): Promise<{ first: Objective; phase: Mission['phase'] }> {
  const { mission, objectives } = await client.call('getMission', { id })
  const [first] = objectives
  if (!first)
    throw new Fault('The demonstration mission has no objectives: start with another SVC_DATA_DIR.')
  return { first, phase: mission.phase }
}

/** The runner starts at the same time: until it was heard of, its repository does not count as connected. */
async function launchWhenConnected({ client, signal }: Scene, objective: Objective): Promise<void> {
  for (;;) {
    try {
      await client.call('launchObjective', { id: objective.id, agent: 'scripted' })
      return
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.code === 'objective_not_launchable') return // its agent works already
      if (error.code !== 'resource_not_connected') throw error
    }
    await delay(100, undefined, { signal })
  }
}

async function newestRequest(client: Client, objective: Objective): Promise<string | undefined> {
  const { executionRequests } = await client.call('listExecutionRequests', {
    objectiveId: objective.displayId,
    limit: 1,
  })
  return executionRequests[0]?.id
}

async function showTimeline(
  { client }: Scene,
  mission: Mission,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  const isFresh = skipRepeats()
  for await (const event of client.feed({ missionId: mission.id, cursor: '0.0', signal })) {
    if (event.event !== 'change' || Date.parse(event.data.at) < since) continue
    const entry = entryOf(event.data)
    if (!entry || !isFresh(entry)) continue
    const time = new Date(event.data.at).toLocaleTimeString('en-GB')
    say(
      `  ${time}  ${entry.word.padEnd(18)}${entry.text}`,
      entry.word === 'review' ? 'green' : undefined,
    )
  }
}

const pollMs = 250
const lastLinesMs = 1_200

/** Until the run's exit was reported. What ended without a delivery is shown with the command that launches it again. */
async function waitForEnd(
  { client, signal }: Scene,
  objective: Objective,
  requestId: string | undefined,
): Promise<boolean> {
  if (requestId === undefined) throw new Fault(`${objective.displayId} was never launched.`)
  for (;;) {
    const { executionRequest: request } = await client.call('getExecutionRequest', {
      id: requestId,
    })
    const delivered = request.outcome === 'delivered'
    if (delivered && request.endedAt !== null) break
    if (!delivered && !isLive(request)) {
      await delay(lastLinesMs)
      sayStopped(objective, request)
      return false
    }
    await delay(pollMs, undefined, { signal })
  }
  await delay(lastLinesMs)
  const { mission } = await client.call('getMission', { id: objective.missionId })
  return mission.phase === 'review'
}

function sayStopped(objective: Objective, request: ExecutionRequest): void {
  const why = request.failure
    ? `${request.failure.code}: ${request.failure.message}`
    : request.outcome
  sayError(`${objective.displayId} stopped (${why}). Launch it again with:`)
  say(`  ${svc} launch ${objective.displayId} --watch --agent scripted`)
}
