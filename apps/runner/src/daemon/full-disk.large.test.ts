import { once } from 'node:events'
import { appendFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@svc/process/process-identity'
import { describe, expect, test } from 'vitest'
import { findStep, readJournal } from '../run/journal.ts'
import { isPossible, openFillingWorld } from '../testing/filling-disk.ts'

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
