import { commandOf, purposeOf } from '@svc/contracts/next-step'
import { version } from '@svc/contracts/version'
import { expect, test } from 'vitest'
import { untilAsked } from './support/asking.ts'
import type { Machine } from './support/machine.ts'
import { type Scene, openScene } from './support/scene.ts'
import { type TwoVersions, openTwoVersions, stop } from './support/two-versions.ts'
import { until } from './support/until.ts'
import { openEarlierVersion, thisVersion } from './support/versions.ts'
import { expectWhole } from './support/whole.ts'

const asks = { repository: true, instructions: ['Write a line.\nscripted: ask'] }
const expected = { deliveries: 1, attached: 1 }

test('a runner whose service is put back to an earlier release says so once, and works for it', async () => {
  const release = '0.0.9'
  using other = openEarlierVersion(release)
  await using two = await openTwoVersions(thisVersion, other)
  await using scene = await openScene(two, asks)
  const { machine, answer } = await replaceService(two, scene)
  await answer()

  await expectWhole(scene, machine, expected)
  await until('the runner has met the service', () => warnings(machine).length > 0)
  const install = installStep(release)
  expect(warnings(machine)).toEqual([
    `warning: the service is version ${release}, and this svc is ${version}. ${install}`,
  ])
  expect(machine.daemon().isOver()).toBe(false)
})

test('a runner that is too old for its new service says what helps, waits for its run and ends', async () => {
  const release = '9.0.0'
  using other = openEarlierVersion(release)
  await using two = await openTwoVersions(thisVersion, other)
  await using scene = await openScene(two, asks)
  const { machine, answer } = await replaceService(two, scene)
  const refusal = `This is svc ${version}, and the service takes ${release} or a newer one. ${installStep(release)}`
  const daemon = machine.daemon()
  await until('the runner is refused', () => daemon.output().includes(refusal), {
    details: daemon.output,
  })
  expect(warnings(machine)).toContain(
    `warning: ${refusal} The runner waits for its runs, and then ends. runs=1`,
  )
  expect(daemon.isOver()).toBe(false)
  await answer()

  expect(await daemon.ended).toEqual({ code: 5, signal: null })
  two.lead(two.from)
  await expectWhole(scene, machine, expected)
})

/** While the agent of a run waits for its answer, which it is given by whoever calls `answer`. */
async function replaceService(two: TwoVersions, scene: Scene) {
  const machine = await scene.machine()
  await scene.launch()
  const { id } = await untilAsked(scene)
  await two.to.api.start()
  two.lead(two.to)
  // with it ends the claim that waits there; then it is there for this test alone, whose client fits it
  await stop(two.from.api)
  await two.from.api.start()
  const answer = () => two.from.client.call('answerQuestion', { id, text: 'English.' })
  return { machine, answer }
}

function installStep(release: string): string {
  const step = { operation: 'installVersion', params: { version: release } } as const
  return `${purposeOf(step)}: ${commandOf(step)}`
}

function warnings(machine: Machine): string[] {
  const lines = machine.daemon().output().split('\n')
  return lines.filter((line) => line.startsWith('warning: '))
}
