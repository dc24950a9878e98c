import { expect } from 'vitest'
import { outputOf, untilAsked } from './support/asking.ts'
import { test } from './support/test.ts'
import { until } from './support/until.ts'

const steps = [
  'run svc protocol attach --agent speaks',
  'say I keep what I find.',
  'permit git init --quiet kept',
  'run svc protocol deliver --summary "Kept what was found."',
]

test('an agent that is spoken with is told of, and asks a person for what its rights do not cover', async ({
  service,
}) => {
  const instruction = ['Keep it.', ...steps.map((step) => `step: ${step}`)].join('\n')
  await using scene = await service.scene({ repository: true, instructions: [instruction] })
  await scene.machine()
  await scene.launch('speaks')
  const asked = await untilAsked(scene)
  expect(asked.question).toContain('git init --quiet kept')
  expect(asked.allowFreeText).toBe(false)
  const id = asked.options.find(({ label }) => label === 'Allow')?.id ?? ''
  await until('what it does is told', async () => (await scene.countEvents('update')) > 0)
  await scene.client.call('answerQuestion', { id: asked.id, optionId: id })
  const run = await scene.untilEnded()
  expect(run).toMatchObject({ outcome: 'delivered', exit: { exitCode: 0 } })
  expect(await scene.phase()).toBe('review')
  expect(await outputOf(scene, run)).toContain('"text":"git init --quiet kept: once\\n"')
})
