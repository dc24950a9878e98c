import { type ClientRequest, Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { feedPaths } from '@svc/contracts/feed'
import { median, say, spread, table } from '../figures.ts'
import { openApiClient } from './client.ts'
import { machineFor, walk } from './cycle.ts'
import { fillDrafts } from './fill.ts'
import { type Stage, openStage } from './stage.ts'

const rounds = 3
/** Rounds in which every connection makes its plans. */
const warmUps = 3
const feeds = 1_000
const idleMs = 5_000
const cyclesOfRound = 20
const openedAtOnce = 50
const aimUs = 50

/** What open feeds of one workspace cost while nothing happens, and for each change that each of them is sent. */
export async function measureFeeds(): Promise<void> {
  await using stage = await openStage({ projects: 1, env: { SVC_SWEEP_SECONDS: '86400' } })
  const silent = await measureRounds(stage)
  await using heard = await openFeeds(stage)
  const idle = await cpuOver(stage, () => delay(idleMs))
  const open = await measureRounds(stage, heard)
  say(
    `${feeds} open feeds of one workspace, ${rounds} rounds of ${cyclesOfRound} cycles: median (least to most)`,
  )
  say(
    `while nothing happens, processor ms a second: application ${perSecond(idle.application)}, PostgreSQL ${perSecond(idle.postgres)}`,
  )
  // beyond what the cycles cost without a feed, and what the feeds cost without a change
  const beyond = (of: (cost: Pick<Cost, 'application' | 'postgres'>) => number) =>
    open.map((cost, n) => {
      const without = of(silent[n] ?? none) + (of(idle) / idle.seconds) * cost.seconds
      return share(of(cost) - without, cost.changes * feeds)
    })
  const row = (name: string, of: (cost: Pick<Cost, 'application' | 'postgres'>) => number) => [
    name,
    spread(beyond(of)),
    String(aimUs),
  ]
  table([
    ['for a change and a feed, processor µs', '', 'aim'],
    row('application', (cost) => cost.application),
    row('PostgreSQL', (cost) => cost.postgres),
    row('both', (cost) => cost.application + cost.postgres),
  ])
  say(
    `${median(open.map(({ changes }) => changes)) / cyclesOfRound} changes a cycle; the last feed had heard ${spread(open.map(({ lateMs }) => lateMs))} ms after the last answer`,
  )
}

const perSecond = (ms: number) => (ms / (idleMs / 1_000)).toFixed(0)
const share = (ms: number, parts: number) => (ms * 1_000) / parts

interface Cost {
  application: number
  postgres: number
  seconds: number
  /** What each feed was sent. */
  changes: number
  lateMs: number
}
const none: Cost = { application: 0, postgres: 0, seconds: 0, changes: 0, lateMs: 0 }

async function cpuOver(stage: Stage, work: () => Promise<unknown>) {
  const before = { ...stage.cpu(), at: performance.now() }
  await work()
  const after = { ...stage.cpu(), at: performance.now() }
  return {
    seconds: (after.at - before.at) / 1_000,
    application: after.application - before.application,
    postgres: after.postgres - before.postgres,
  }
}

async function measureRounds(stage: Stage, heard?: Heard): Promise<Cost[]> {
  await using api = openApiClient(stage.api.url, 1)
  const [place] = stage.places
  if (!place) throw new Error('the stage has no project')
  const machine = machineFor(place.projectId)
  const costs: Cost[] = []
  for (let round = -warmUps; round < rounds; round += 1) {
    const objectives = await fillDrafts(stage.db, place, cyclesOfRound)
    await heard?.untilQuiet()
    const before = heard?.total() ?? 0
    let lateMs = 0
    const cpu = await cpuOver(stage, async () => {
      for (const objectiveId of objectives) {
        await walk(api, { objectiveId, machine, token: stage.nextToken() })
      }
      const answered = performance.now()
      await heard?.untilQuiet()
      lateMs = (heard?.lastAt() ?? answered) - answered
    })
    const changes = ((heard?.total() ?? 0) - before) / feeds
    if (round >= 0) costs.push({ ...cpu, changes, lateMs })
  }
  return costs
}

interface Heard extends AsyncDisposable {
  /** Changes that were sent, over all feeds. */
  total: () => number
  lastAt: () => number
  /** Nothing has come for a while. */
  untilQuiet: () => Promise<void>
}

async function openFeeds(stage: Stage): Promise<Heard> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const requests: ClientRequest[] = []
  let total = 0
  let lastAt = performance.now()
  const openOne = () =>
    new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${stage.nextToken()}`, accept: 'text/event-stream' }
      const request = get(stage.api.url + feedPaths.workspace, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`a feed was answered ${answer.statusCode}`))
        answer.setEncoding('utf8')
        let rest = ''
        answer.on('data', (text: string) => {
          resolve()
          const parts = (rest + text).split('event: change\n')
          rest = parts.at(-1)?.slice(-'event: change'.length) ?? ''
          const changes = parts.length - 1
          if (changes === 0) return
          total += changes
          lastAt = performance.now()
        })
        answer.on('error', () => undefined)
      })
      request.on('error', reject)
      requests.push(request)
    })
  for (let opened = 0; opened < feeds; opened += openedAtOnce) {
    await Promise.all(Array.from({ length: openedAtOnce }, openOne))
  }
  return {
    total: () => total,
    lastAt: () => lastAt,
    async untilQuiet() {
      for (let before = -1; before !== total;) {
        before = total
        await delay(1_500)
      }
    },
    async [Symbol.asyncDispose]() {
      for (const request of requests) request.destroy()
      agent.destroy()
    },
  }
}
