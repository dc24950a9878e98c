import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { expect } from 'vitest'
import { openMachine } from './support/machine.ts'
import { stopIn } from './support/phases.ts'
import { resourceKey } from './support/scene.ts'
import { killAll } from './support/processes.ts'
import { test } from './support/test.ts'
import { until } from './support/until.ts'
import { expectWhole } from './support/whole.ts'

test('a delivery that waits on a machine outlives that somebody signs it in to another workspace', async ({
  service,
}) => {
  await using scene = await service.scene({ repository: true })
  const { person } = scene
  const token = await service.token({ person })
  await using machine = await openMachine({ baseUrl: service.baseUrl, token, isSignedIn: true })
  machine.link(scene.project, resourceKey, scene.repository.path)
  machine.start()
  const gate = stopIn(machine, 'attached')
  await scene.launch()
  await gate.arrived
  const restore = machine.proxy.fail('cut')
  gate.open()
  const { folder = '' } = machine.runs()[0] ?? {}
  const isKept = () => readFileSync(join(folder, 'output.log'), 'utf8').includes('deliver: ')
  await until('the delivery is kept', isKept)
  machine.daemon().kill('SIGKILL')
  await machine.daemon().ended
  killAll(machine.processes())
  restore()

  // svc logout ends what was minted from the login, too
  await createClient({ baseUrl: service.baseUrl, token }).call('revokeCurrentUserToken', {})
  machine.signIn(await service.token({ person, workspace: 'elsewhere' }))
  const asked = machine.proxy.seen.length
  const other = machine.start()
  const said = () => other.output().includes('not over and left alone here')
  await until('the runner says what it leaves', said, { details: other.output })
  const claims = () => machine.proxy.seen.slice(asked).some(({ path }) => path.endsWith('/claim'))
  await until('the runner asks for work', claims, { details: other.output })
  other.kill('SIGINT')
  expect(await other.ended).toMatchObject({ code: 0 })
  expect(other.output()).toContain(`${machine.proxy.url}, workspace elsewhere`)
  expect(other.output()).toContain(`(${scene.objective.displayId})`)
  expect(await scene.countEvents('delivery')).toBe(0)

  machine.signIn(await service.token({ person }))
  machine.start()
  expect(await scene.untilEnded()).toMatchObject({ outcome: 'delivered' })
  await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
})
