import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { expect } from 'vitest'
import { readRecorded } from './support/agents.ts'
import { test } from './support/test.ts'

/** One of the agents that write down what they were started with. */
export function worksWithTokenOfItsRun(agent: 'recorder' | 'speaks-by-hand'): void {
  test('works with a token of its run alone, which ends with that', async ({ service }) => {
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
  })
}
