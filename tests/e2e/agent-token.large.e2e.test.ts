import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { worksWithTokenOfItsRun } from './agent-token.ts'
import { readRecorded } from './support/agents.ts'
import { test } from './support/test.ts'

describe('an agent whose runner was started from a login', () => {
  worksWithTokenOfItsRun('speaks-by-hand')

  test('works with that of its runner where the runner is told so', async ({ service }) => {
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
