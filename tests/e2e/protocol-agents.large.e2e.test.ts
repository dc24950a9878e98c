import { describe, expect } from 'vitest'
import { outputOf, untilAsked } from './support/asking.ts'
import { killAll } from './support/processes.ts'
import { test } from './support/test.ts'

const scened = (...steps: string[]) => ({
  repository: true,
  instructions: [['Do it.', ...steps.map((step) => `step: ${step}`)].join('\n')],
})

const attach = 'run svc protocol attach --agent speaks'
const deliver = 'run svc protocol deliver --summary "Done."'

describe('an agent that is spoken with', () => {
  test('goes on with the answer to its own question in its own conversation', async ({
    service,
  }) => {
    const asks = 'run svc protocol ask --question "Which language?" || true'
    await using scene = await service.scene(scened(attach, asks, 'leave', attach, deliver))
    await scene.machine()
    await scene.launch('speaks')
    const { id } = await untilAsked(scene)
    const parked = await scene.untilRequest('parked', ({ outcome }) => outcome === 'parked')
    await scene.client.call('answerQuestion', { id, text: 'Esperanto.' })
    const resumed = await scene.untilEnded()
    expect(resumed).toMatchObject({ kind: 'resume', outcome: 'delivered', branch: parked.branch })
    const said = await outputOf(scene, resumed)
    expect(said).toContain('"method":"session/resume"')
    expect(said).toContain('Esperanto.')
  })

  test('and that dies while a person is asked goes on once that is answered, and need not ask again', async ({
    service,
  }) => {
    await using scene = await service.scene(scened(attach, 'permit git init --quiet kept', deliver))
    const machine = await scene.machine()
    await scene.launch('forgets')
    const permission = await untilAsked(scene)
    killAll([await machine.agent()])
    await scene.untilRequest('parked', ({ outcome }) => outcome === 'parked')
    const id = permission.options.find(({ label }) => label === 'Allow')?.id ?? ''
    await scene.client.call('answerQuestion', { id: permission.id, optionId: id })
    const resumed = await scene.untilEnded()
    expect(resumed).toMatchObject({ kind: 'resume', outcome: 'delivered' })
    const asked = await scene.client.call('listQuestions', { missionId: scene.mission.id })
    expect(asked.questions).toHaveLength(1)
  })

  test('and that has asked itself gets its own answer, though its supervisor asks in its name', async ({
    service,
  }) => {
    const asks = 'run svc protocol ask --question "Which language?" || true'
    const steps = [attach, asks, 'permit git init --quiet kept', 'run svc protocol heartbeat']
    await using scene = await service.scene(scened(...steps, deliver))
    await scene.machine()
    await scene.launch('speaks')
    const own = await untilAsked(scene)
    expect(own.question).toBe('Which language?')
    await scene.client.call('answerQuestion', { id: own.id, text: 'Esperanto.' })
    const permission = await untilAsked(scene)
    expect(permission.question).toContain('git init')
    const id = permission.options.find(({ label }) => label === 'Allow')?.id ?? ''
    await scene.client.call('answerQuestion', { id: permission.id, optionId: id })
    const run = await scene.untilEnded()
    expect(run.outcome).toBe('delivered')
    expect(await outputOf(scene, run)).toContain('Esperanto.')
  })

  test('and that ends its turn without a delivery has exited, and delivers nothing', async ({
    service,
  }) => {
    await using scene = await service.scene(scened(attach, 'say I am done, really.'))
    await scene.machine()
    await scene.launch('speaks')
    const ended = await scene.untilEnded()
    expect(ended).toMatchObject({ outcome: 'exited', exit: { exitCode: 0, signal: null } })
    expect(await scene.countEvents('delivery')).toBe(0)
  })
})

describe('a step without a model', () => {
  test('is carried from its launch to the review', async ({ service }) => {
    await using scene = await service.scene({ repository: true })
    await scene.machine()
    await scene.launch('steps')
    const run = await scene.untilEnded()
    expect(run).toMatchObject({ outcome: 'delivered', exit: { exitCode: 0 } })
    const { deliveries } = await scene.client.call('listDeliveries', { id: scene.mission.id })
    expect(deliveries.map(({ summary }) => summary)).toEqual(['All done by a step.'])
    expect(scene.repository.git('log', '-1', '--format=%s', run.branch ?? '')).toBe(
      'Keep the answer',
    )
    expect(await scene.countEvents('update')).toBe(1)
  })
})
