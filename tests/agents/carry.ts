import assert from 'node:assert/strict'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { Usage } from '@svc/contracts/usage'
import { outputOf, untilAsked } from '../e2e/support/asking.ts'
import { until } from '../e2e/support/until.ts'
import { type Memory, memoryOfRun, startOf } from './measure.ts'
import type { Place } from './place.ts'
import { answer, firstProcess, secondProcess, summary } from './scenario.ts'

/** What is known of a tool that carried a whole objective. */
export interface Carried {
  /** From its spawn to its first request to the model, in ms. */
  startMs: number
  /** From the answer to the first request of the process that goes on, in ms. */
  resumedMs: number
  memory: Memory
  usage: Usage | null
  /** What it printed, of its first process and of the one that went on. */
  outputs: [string, string]
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
  assert.ok(memory, 'the run was measured')
  return {
    startMs,
    resumedMs: first.at - answeredAt,
    memory,
    usage: resumed.usage,
    outputs: [await outputOf(scene, parked), await outputOf(scene, resumed)],
  }
}

/** A run that ends without a question says why. */
async function untilOr<T>({ scene }: Place, wanted: Promise<T>): Promise<T> {
  const ended = scene.untilEnded().then(async (request) => {
    const said = await outputOf(scene, request).catch(String)
    throw new Error(`the run ended: ${JSON.stringify(request, null, 1)}\n${said.slice(-6000)}`)
  })
  return await Promise.race([wanted, ended])
}

async function assertDelivered({ scene }: Place, request: ExecutionRequest): Promise<void> {
  assert.equal(request.outcome, 'delivered', JSON.stringify(request, null, 1))
  assert.equal(request.kind, 'resume')
  assert.equal(await scene.phase(), 'review')
  const { deliveries } = await scene.client.call('listDeliveries', { id: scene.mission.id })
  assert.deepEqual(
    deliveries.map(({ summary }) => summary),
    [summary],
  )
  const subjects = scene.repository.git('log', '--format=%s', `main..${request.branch}`)
  assert.equal(subjects, 'Paint the bridge\nBuild the bridge')
}
