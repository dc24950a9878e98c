import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { describe, expect } from 'vitest'
import { readRecorded } from './support/agents.ts'
import { test } from './support/test.ts'

/** They write down what they were started with. */
const agents = ['recorder', 'speaks-by-hand']

describe('an agent whose runner was started from a login', () => {
  test.for(agents)(
    'works with a token of its run alone, which ends with that: %s',
    async (agent, { service }) => {
      await using scene = await service.scene({ repository: true, instructions: ['One.', 'Two.'] })
      const machine = await scene.machine({ isSignedIn: true, token: scene.token })
      await scene.launch(agent)
      const run = await scene.untilEnded()
      await machine.settled()

      expect(run).toMatchObject({ outcome: 'delivered', exit: { exitCode: 0 } })
      const { environment } = readRecorded(machine.home.folder)
      const { SVC_USER_TOKEN: token = '' } = environment
      expect(token).toMatch(/^svcrt_/)
      const kept = readFileSync(join(machine.home.folder, 'token.json'), 'utf8')
      const { token: ofRunner } = JSON.parse(kept) as { token: string }
      expect(ofRunner).toMatch(/^svcut_/)
      for (const other of [ofRunner, scene.token]) {
        expect(JSON.stringify(environment)).not.toContain(other)
      }
      const client = createClient({ baseUrl: service.baseUrl, token })
      await expect(client.call('getMe', {})).rejects.toMatchObject({
        code: 'unauthenticated',
        details: { reason: 'run_over' },
      })
    },
  )

  test('works with that of its runner where the runner is set so', async ({ service }) => {
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine({
      isSignedIn: true,
      token: scene.token,
      args: ['--agent-token', 'own'],
    })
    await scene.launch('recorder')
    await scene.untilEnded()
    const { environment } = readRecorded(machine.home.folder)
    const kept = readFileSync(join(machine.home.folder, 'token.json'), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({ token: environment['SVC_USER_TOKEN'] })
  })
})
