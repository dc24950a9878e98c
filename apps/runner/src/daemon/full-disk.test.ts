import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findStep, readJournal } from '../run/journal.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { isPossible, openFillingWorld } from '../testing/filling-disk.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { keepFull, mountSmallDisk } from '../testing/small-disk.ts'

describe.skipIf(!isPossible)('a disk that is full (needs the right to mount one)', () => {
  test('neither ends a run whose agent works nor keeps its end from being reported', async () => {
    const opened = await openFillingWorld('sleep 1; echo done')
    await using world = opened.world
    const { service } = world
    const daemon = await world.start({ once: true })
    const { body } = await service.called('reportExited')
    opened.filling.dispose()
    expect(body).toMatchObject({ exitCode: 0, cause: 'agent' })
    expect(service.calls('reportFailed')).toEqual([])
    expect(service.calls('reportLaunched')).toHaveLength(1)
    await daemon.done
    const steps = readJournal(await world.reached('cleaned'))
    expect(findStep(steps, 'reported')).toBeDefined()
  })

  test('as a run is claimed fails that run with the reason, and the runner goes on', async () => {
    await using world = await openRunnerWorld('true', mountSmallDisk)
    const { service } = world
    await world.start()
    await service.called('claimExecutionRequest')
    {
      using _ = keepFull(world.home.folder)
      const assignment = makeAssignment()
      service.queue(assignment)
      const { body } = await service.called('reportFailed')
      expect(body).toMatchObject({
        id: assignment.executionRequest.id,
        code: 'disk_full',
        phase: 'prepare',
        message: expect.stringContaining('free some space'),
      })
      expect(readdirSync(world.home.runs)).toEqual([])
    }
    world.queue()
    const { body } = await service.called('reportExited')
    expect(body).toMatchObject({ exitCode: 0 })
  })
})
