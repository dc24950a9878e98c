import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { outputOf, untilAsked } from '../e2e/support/asking.ts'
import { until } from '../e2e/support/until.ts'
import { type Memory, memoryOfRun, startOf } from './measure.ts'
import type { Scene } from '../e2e/support/scene.ts'
import { tokens } from './model/dialect.ts'
import type { Place } from './place.ts'
import type { Recording } from './recording.ts'
import { answer, firstProcess, notRed, secondProcess, summary } from './scenario.ts'

/** What is known of a tool that carried a whole objective. */
export interface Carried {
  /** From its spawn to its first request to the model, in ms. */
  startMs: number
  /** From the answer to the first request of the process that goes on, in ms. */
  resumedMs: number
  memory: Memory
  usage: Recording['usage']
}

/** From the launch over a question that is answered after the process has ended, to the delivery. */
export async function carryObjective(place: Place): Promise<Carried> {
  const { scene, machine, model, installed } = place
  const { key } = installed.tool
  const before = firstProcess(key, place.workingTree)
  let memory: Memory | undefined
  model.follow({
    steps: [...before, ...secondProcess(key, place.workingTree)],
    before(step) {
      if (step === 2) memory = memoryOfRun(machine)
    },
  })
  await scene.launch(key)
  const asked = await untilOr(place, untilAsked(scene))
  const parked = await scene.untilRequest('parked', ({ outcome }) => outcome === 'parked')
  await machine.alone()
  const startMs = (model.asked[0]?.at ?? Number.NaN) - (await startOf(machine))
  if (installed.tool.needsNextMinute) await untilNextMinute()
  const askedBefore = model.asked.length
  const answeredAt = Date.now()
  await scene.client.call('answerQuestion', { id: asked.id, text: answer })
  const first = await until('the model is asked again', () => model.asked[askedBefore])
  const resumed = await scene.untilEnded()
  await machine.settled()
  await assertDelivered(place, resumed)
  assert.equal(
    first.step,
    before.length,
    'the process that went on knew nothing of the conversation before',
  )
  assert.ok(
    model.asked.some(({ results }) => results.some((text) => text.includes(answer))),
    'the answer reached the model',
  )
  assert.ok(
    model.asked.some(({ results }) => results.some((text) => text.includes(notRed))),
    'what the check printed reached the model',
  )
  assert.ok(memory, 'the run was measured')
  return {
    startMs,
    resumedMs: first.at - answeredAt,
    memory,
    usage: await assertUsage(place, parked, resumed),
  }
}

async function untilNextMinute(): Promise<void> {
  await sleep(60_000 - (Date.now() % 60_000) + 100)
}

/** A run that ends without a question says why. */
async function untilOr<T>({ scene }: Place, wanted: Promise<T>): Promise<T> {
  const ended = scene.untilEnded().then(async (request) => {
    throw await unexpected(scene, request)
  })
  return await Promise.race([wanted, ended])
}

async function unexpected(scene: Scene, request: ExecutionRequest): Promise<Error> {
  const said = await outputOf(scene, request).catch(String)
  const lines = said.split('\n').map((line) => line.slice(0, 1_000))
  return new Error(`${lines.join('\n')}\nthe run ended: ${JSON.stringify(request, null, 1)}`)
}

async function assertDelivered({ scene }: Place, request: ExecutionRequest): Promise<void> {
  if (request.outcome !== 'delivered') throw await unexpected(scene, request)
  assert.equal(request.kind, 'resume')
  assert.equal(await scene.phase(), 'review')
  const { deliveries } = await scene.client.call('listDeliveries', { id: scene.mission.id })
  assert.partialDeepStrictEqual(deliveries, [
    { summary, checks: { outcome: 'passed', attempts: 2, results: [{ name: 'colour' }] } },
  ])
  assert.equal(deliveries.length, 1)
  const subjects = scene.repository.git('log', '--format=%s', `main..${request.branch}`)
  assert.equal(subjects, 'Paint the bridge\nBuild the bridge')
}

/** Tokens of both runs together are those of the answers, and no more: nothing is counted twice. */
async function assertUsage(
  { scene, model }: Place,
  first: ExecutionRequest,
  resumed: ExecutionRequest,
): Promise<Recording['usage']> {
  const { usage: sum } = await scene.client
    .call('getMission', { id: scene.mission.id })
    .then(({ mission }) => mission)
  assert.equal(sum.runs, 2)
  const told = [first.usage, resumed.usage]
  const input = told.reduce((total, usage) => total + (usage?.inputTokens ?? 0), 0)
  assert.equal(sum.inputTokens, input, 'the mission has what its runs have')
  assert.ok(input <= model.answered() * tokens.input, 'no token is counted twice')
  return { first: first.usage, resumed: resumed.usage }
}
