import { setTimeout as delay } from 'node:timers/promises'
import { percentile, say, spread, table } from '../figures.ts'
import { openApiClient } from './client.ts'
import { type Machine, claimOf, machineFor } from './cycle.ts'
import { drive, perSecond } from './drive.ts'
import { analyse, fillQueued } from './fill.ts'
import { type Stage, openStage } from './stage.ts'

const claimers = 64
const rounds = 3
const pacedMs = 3_000
const closedMs = 1_500
/** A device may claim so often. */
const paceMs = 1_000
const projects = 4

interface Round {
  latencies: number[]
  claimsPerSecond: number
}

/** Claims over a long queue: each claimer once a second, as often as a device may; and as fast as they can. */
export async function measureClaims({ queued }: { queued: number }): Promise<void> {
  await using stage = await openStage({
    projects,
    // nothing that was claimed goes back to the queue meanwhile
    env: { SVC_LEASE_SECONDS: '3600' },
  })
  for (const place of stage.places) await fillQueued(stage.db, place, queued / projects)
  await analyse(stage.db)
  const machines = Array.from({ length: claimers }, (_, index) =>
    machineFor(stage.places[index % projects]?.projectId ?? ''),
  )
  await asFastAsTheyCan(stage, machines)
  const paced: Round[] = []
  const closed: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    paced.push(await onceASecond(stage, machines))
    closed.push(await asFastAsTheyCan(stage, machines))
  }
  say(
    `claims over ${queued} queued requests, ${claimers} claimers, ${rounds} rounds: median (least to most)`,
  )
  table([
    ['', 'claims/s', 'p50 ms', 'p99 ms'],
    cells('each once a second', paced),
    cells('as fast as they can', closed),
  ])
}

async function onceASecond(stage: Stage, machines: readonly Machine[]): Promise<Round> {
  return measure(stage, machines, async (claim) => {
    const begun = performance.now()
    const one = async (index: number) => {
      // spread over the second, so that what is measured is not their crowd
      for (let due = (index * paceMs) / claimers; due < pacedMs; due += paceMs) {
        await delay(Math.max(0, begun + due - performance.now()))
        await claim(index)
      }
    }
    await Promise.all(machines.map((_, index) => one(index)))
    const seconds = (performance.now() - begun) / 1000
    return (claimers * pacedMs) / paceMs / seconds
  })
}

function asFastAsTheyCan(stage: Stage, machines: readonly Machine[]): Promise<Round> {
  return measure(stage, machines, async (claim) =>
    perSecond(await drive(machines.length, closedMs, claim)),
  )
}

async function measure(
  stage: Stage,
  machines: readonly Machine[],
  run: (claim: (index: number) => Promise<void>) => Promise<number>,
): Promise<Round> {
  await using api = openApiClient(stage.api.url, machines.length)
  const latencies: number[] = []
  const claimsPerSecond = await run(async (index) => {
    const machine = machines[index]
    if (!machine) return
    const begun = performance.now()
    const answer = await api.call('claimExecutionRequest', stage.nextToken(), claimOf(machine))
    latencies.push(performance.now() - begun)
    if (!answer.request) throw new Error('the queue is empty: fill it with more')
  })
  return { latencies, claimsPerSecond }
}

function cells(name: string, all: readonly Round[]): string[] {
  return [
    name,
    spread(
      all.map((round) => round.claimsPerSecond),
      0,
    ),
    spread(all.map((round) => percentile(round.latencies, 0.5))),
    spread(all.map((round) => percentile(round.latencies, 0.99))),
  ]
}
