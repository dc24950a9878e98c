import { describe, expect, test, vi } from 'vitest'
import { findSupervisor } from '../run/supervision.ts'
import { brokenConnection } from '../testing/contract-service.ts'
import { openRunnerWorld } from '../testing/runner-world.ts'
import { claimedRun, resetJournal, startSupervisor, main } from '../testing/supervisors.ts'
import { temporaryFolder } from '@svc/testing/temporary'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProcess } from '@svc/process/process-identity'
import { findStep, readJournal } from '../run/journal.ts'
import { listRunFolders } from '../run/run-folder.ts'

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

function supervisorsOf(folder: string): number {
  return readJournal(folder).filter(({ step }) => step === 'supervisor').length
}
