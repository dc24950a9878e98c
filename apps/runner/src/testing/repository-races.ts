import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listWorktrees } from '../git/worktrees.ts'
import { findStep, readJournal } from '../run/journal.ts'
import { listRunFolders } from '../run/run-folder.ts'
import { openHome } from '../files/home.ts'
import { cloned } from './prepared.ts'
import { openRunnerWorld, type RunnerWorld } from './runner-world.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'

/** What would keep a Git or a runner of the next run waiting. */
function locksIn(checkout: string): string[] {
  const names = readdirSync(join(checkout, '.git'), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.lock'))
}

function addOrigin({ checkout }: RunnerWorld) {
  const origin = cloned(checkout)
  gitIn(checkout, 'remote', 'add', 'origin', origin.path)
  // what Git does of itself after a fetch or a commit has locks of its own, and may outlast the command
  gitIn(checkout, 'config', 'maintenance.auto', 'false')
  gitIn(checkout, 'config', 'gc.auto', '0')
  return origin
}

/** Starts the runs on two runners, each of which takes half of them. */
export function startAtOnce(runs: number): void {
  test(`start ${runs} runs at once on one linked checkout, each once and in a worktree of its own`, async () => {
    await using world = await openRunnerWorld('true')
    using _ = addOrigin(world)
    using folder = temporaryFolder()
    const { checkout, home, service } = world
    const { project } = world.queue({ title: 'Pillar 1' })
    for (let number = 2; number <= runs; number += 1) {
      world.queue({ projectId: project.id, title: `Pillar ${number}` })
    }
    const other = openHome(join(folder.path, 'other'))
    copyFileSync(home.agentsFile, other.agentsFile)
    copyFileSync(home.resourcesFile, other.resourcesFile)
    const daemons = [
      await world.start({ max: runs / 2 }),
      await world.start({ max: runs / 2, home: other.folder }),
    ]
    await service.called('reportExited', runs)
    for (const daemon of daemons) daemon.drain()
    await Promise.all(daemons.map(({ done }) => done))

    expect(service.calls('reportReleased')).toEqual([])
    expect(service.calls('reportFailed')).toEqual([])
    const prepared = service.calls('reportLaunching').flatMap(({ body }) => body['prepared'] ?? [])
    const folders = prepared.map((one) => (one as { workingDirectory: string }).workingDirectory)
    expect(new Set(folders).size).toBe(runs)
    expect(service.calls('reportLaunched')).toHaveLength(runs)
    expect(await listWorktrees(checkout)).toHaveLength(runs + 1)
    expect(locksIn(checkout)).toEqual([])
  })
}

export function keepsTheNextFromNothing(rows: readonly (typeof moments)[number][]): void {
  test.each(rows)('while Git %s keeps the next run from nothing', async (moment) => {
    await using world = await openRunnerWorld('true')
    using _ = addOrigin(world)
    using folder = temporaryFolder()
    const { checkout, home, service } = world
    const isStopped = stopIn(moment, world, folder.path)
    const first = world.queue()
    await world.start()
    await expect.poll(isStopped).toBe(true)
    const [run = ''] = listRunFolders(home)
    process.kill(findStep(readJournal(run), 'supervisor')?.pid ?? 0, 'SIGKILL')
    const { body } = await service.called('reportReleased')
    expect(body).toMatchObject({ reason: 'supervisor_lost' })

    world.queue({ missionId: first.mission.id, projectId: first.project.id })
    const exited = await service.called('reportExited')
    expect(exited.body).toMatchObject({ exitCode: 0, cause: 'agent' })
    expect(service.calls('reportReleased')).toHaveLength(1)
    expect(service.calls('reportFailed')).toEqual([])
    expect(locksIn(checkout)).toEqual([])
    expect((await listWorktrees(checkout)).filter(({ isHalfMade }) => isHalfMade)).toEqual([])
    expect(gitIn(checkout, 'branch', '--show-current')).toBe('main')
  })
}

/** The moments of taking a checkout in which Git can be stopped: by a hook, or by what it calls at origin. */
export const moments = [
  'fetches its base',
  'cuts its branch',
  'has written its worktree out',
] as const

/** Has Git stop at that moment the first time, and says whether it has. */
function stopIn(moment: (typeof moments)[number], { checkout }: RunnerWorld, folder: string) {
  const reached = join(folder, 'reached')
  const stop = `test -e '${reached}' || { touch '${reached}'; sleep 300; }`
  const hook = (name: string) => join(checkout, '.git', 'hooks', name)
  const scripts = {
    'fetches its base': [join(folder, 'upload-pack'), `${stop}\nexec git upload-pack "$@"`],
    'cuts its branch': [hook('reference-transaction'), `grep -q refs/heads/ || exit 0\n${stop}`],
    'has written its worktree out': [hook('post-checkout'), stop],
  } as const
  const [path, script] = scripts[moment]
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  if (moment === 'fetches its base') gitIn(checkout, 'config', 'remote.origin.uploadpack', path)
  return () => existsSync(reached)
}
