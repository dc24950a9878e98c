import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findStep, readJournal } from '../run/journal.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { canMount, keepFull, mountSmallDisk } from '../testing/small-disk.ts'

const isPossible = canMount(join(tmpdir(), `svc-small-disk-${process.pid}`))

describe.skipIf(!isPossible)('a disk that is full (needs the right to mount one)', () => {
  test(
    'neither ends a run whose agent works nor keeps its end from being reported',
    {
      timeout: 20_000,
    },
    async () => {
      await using world = await openRunnerWorld('sleep 1; echo done', mountSmallDisk)
      const { service } = world
      world.queue()
      const filling = new DisposableStack()
      service.answer('reportLaunching', ({ prepared }) => {
        if (prepared !== undefined) filling.use(keepFull(world.home.folder))
        return undefined
      })
      const daemon = await world.start({ once: true })
      const { body } = await service.called('reportExited')
      filling.dispose()
      expect(body).toMatchObject({ exitCode: 0, cause: 'agent' })
      expect(service.calls('reportFailed')).toEqual([])
      expect(service.calls('reportLaunched')).toHaveLength(1)
      await daemon.done
      const steps = readJournal(await world.reached('cleaned'))
      expect(findStep(steps, 'reported')).toBeDefined()
    },
  )
})
