import { describe, expect, test } from 'vitest'
import { findSupervisor } from '../run/supervision.ts'
import { brokenConnection } from '../testing/contract-service.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { claimedRun, resetJournal, startSupervisor } from '../testing/supervisors.ts'
import { temporaryFolder } from '@svc/testing/temporary'

describe('a supervisor', () => {
  test('goes on where one was killed that had not begun, and not where it had', async () => {
    await using world = await openRunnerWorld('true')
    const { service } = world
    const folder = await claimedRun(world)
    service.answer('load-context', () => brokenConnection)
    const first = startSupervisor(folder)
    await service.called('load-context', 2)
    expect(findSupervisor(folder)?.pid).toBe(first.child.pid)
    first.child.kill('SIGKILL')
    await first.ended
    expect(findSupervisor(folder)).toBeUndefined()

    service.answer('load-context', () => undefined)
    await startSupervisor(folder).ended
    expect(service.calls('reportExited')).toHaveLength(1)
    resetJournal(folder)
    await startSupervisor(folder).ended
    expect(service.calls('reportExited')).toHaveLength(2)
  })

  test('keeps its own compile cache from its agent, and leaves it that of a person', async () => {
    await using world = await openRunnerWorld('echo "cache $NODE_COMPILE_CACHE"')
    using folder = temporaryFolder()
    const { NODE_COMPILE_CACHE: _, ...env } = process.env
    const persons = { ...env, NODE_COMPILE_CACHE: folder.path }
    for (const given of [env, persons]) {
      world.queue()
      await (
        await world.start({ once: true, env: given })
      ).done
    }
    expect(world.service.log()).toBe(`cache \ncache ${folder.path}\n`)
  })
})
