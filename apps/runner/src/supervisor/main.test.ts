import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProcess } from '@svc/process/process-identity'
import { describe, expect, test, vi } from 'vitest'
import { findStep, readJournal } from '../run/journal.ts'
import { listRunFolders } from '../run/run-folder.ts'
import { findSupervisor } from '../run/supervision.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { main, claimedRun, startSupervisor } from '../testing/supervisors.ts'
import { temporaryFolder } from '@svc/testing/temporary'

function supervisorsOf(folder: string): number {
  return readJournal(folder).filter(({ step }) => step === 'supervisor').length
}

describe('a supervisor', () => {
  test('that is started at once with another for the same run leaves it to that one', async () => {
    await using world = await openRunnerWorld('true')
    const folder = await claimedRun(world)
    const both = [startSupervisor(folder), startSupervisor(folder)]
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([
      [0, null],
      [0, null],
    ])
    expect(supervisorsOf(folder)).toBe(1)
    expect(world.service.calls('reportLaunched')).toHaveLength(2)
    expect(world.service.calls('reportExited')).toHaveLength(2)
  })

  test('of a daemon that was killed comes late, and leaves the run to that of the next one', async () => {
    await using world = await openRunnerWorld('until [ -e end ]; do sleep 0.1; done')
    using folder = temporaryFolder()
    const { service } = world
    const at = (name: string) => join(folder.path, name)
    writeFileSync(
      at('late.mjs'),
      `import { existsSync, writeFileSync } from 'node:fs'
       if (process.argv[1] === ${JSON.stringify(main)}) {
         writeFileSync(${JSON.stringify(at('pid'))}, String(process.pid))
         while (!existsSync(${JSON.stringify(at('come'))})) await new Promise((r) => setTimeout(r, 20))
       }`,
    )
    vi.stubEnv('NODE_OPTIONS', `--import=${at('late.mjs')}`)
    const daemon = world.startProcess()
    vi.unstubAllEnvs()
    world.queue()
    await expect.poll(() => existsSync(at('pid'))).toBe(true)
    daemon.kill('SIGKILL')

    await world.start()
    await service.called('reportLaunched')
    writeFileSync(at('come'), '')
    const pid = Number(readFileSync(at('pid'), 'utf8'))
    await expect.poll(() => readProcess(pid)).toBeUndefined()
    const [run = ''] = listRunFolders(world.home)
    expect(findSupervisor(run)?.pid).toBe(findStep(readJournal(run), 'supervisor')?.pid)
    writeFileSync(join(world.worktree, 'end'), '')
    await world.reached('cleaned')
    expect(supervisorsOf(run)).toBe(1)
    expect(service.calls('reportLaunched')).toHaveLength(1)
    expect(service.calls('reportExited')[0]?.body).toMatchObject({ exitCode: 0, cause: 'agent' })
  })
})
