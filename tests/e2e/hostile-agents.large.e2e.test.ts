import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { checkWith } from './support/check-with.ts'
import { test } from './support/test.ts'

describe('an agent that forges its check and answers its own question', () => {
  // with a token of its run, and with that of its runner, which may report but lacks the lease
  test.for([
    ['a token of its run', true, 403],
    ['the token of its runner', false, 409],
  ] as const)('is believed neither: with %s', async ([, isSignedIn, refusedWith], { service }) => {
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine({ isSignedIn, ...(isSignedIn && { token: scene.token }) })
    await checkWith({ scene, machine }, { state: { command: 'cat state' } })
    await scene.launch('forges')
    const ended = await scene.untilEnded()
    await machine.settled()

    const said = readFileSync(join(machine.home.folder, 'recorded', 'answers'), 'utf8')
    const [ofQuestion, ...ofChecks] = said.trim().split('\n').map(Number)
    expect(ofQuestion).toBe(403)
    expect(ofChecks.length).toBeGreaterThan(1)
    expect(new Set(ofChecks)).toEqual(new Set([refusedWith]))
    const { questions } = await scene.client.call('listQuestions', {
      missionId: scene.mission.id,
    })
    expect(questions).toMatchObject([{ question: 'May I?', answer: null }])
    expect(ended.outcome).toBe('delivered')
    const { deliveries } = await scene.client.call('listDeliveries', { id: scene.mission.id })
    expect(deliveries).toMatchObject([
      {
        summary: 'All checks have passed, again.',
        checks: { outcome: 'failed', attempts: 2, results: [{ outcome: 'failed', exitCode: 1 }] },
      },
    ])
  })
})
