import { once } from 'node:events'
import { appendFileSync, statSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@svc/process/process-identity'
import { describe, expect, test } from 'vitest'
import { findStep, readJournal } from '../run/journal.ts'
import { isPossible, openFillingWorld } from '../testing/filling-disk.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { keepFull, mountSmallDisk } from '../testing/small-disk.ts'

describe.skipIf(!isPossible)('a disk that is full (needs the right to mount one)', () => {
  test('that ends a supervisor as it reports the exit leaves the run to the next daemon', async () => {
    const opened = await openFillingWorld('until [ -e go ]; do sleep 0.1; done')
    await using world = opened.world
    const { service } = world
    const first = world.startProcess()
    const folder = await world.reached('spawned')
    service.answer('reportExited', () => {
      fillLastBlock(join(folder, 'journal.ndjson'))
      return undefined
    })
    first.kill('SIGKILL')
    await once(first, 'exit')
    writeFileSync(join(world.worktree, 'go'), '')
    const { pid, pidStartedAt } = findStep(readJournal(folder), 'supervisor')!
    await expect.poll(() => isAlive({ pid, startedAt: pidStartedAt })).toBe(false)
    expect(service.calls('reportExited')).toHaveLength(1)
    const left = readJournal(folder)
    expect(findStep(left, 'reported')).toBeUndefined()
    expect(findStep(left, 'cleaned')).toBeUndefined()
    opened.filling.dispose()

    await world.start()
    await world.reached('cleaned')
    expect(service.calls('reportExited')).toHaveLength(2)
    expect(findStep(readJournal(folder), 'reported')).toMatchObject({ report: 'reportExited' })
  })
})

/** What is added next needs a block of its own. */
function fillLastBlock(path: string): void {
  const block = 4096
  appendFileSync(path, '\n'.repeat((block - (statSync(path).size % block)) % block))
}

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
