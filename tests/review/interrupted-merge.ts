import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { programs } from '../e2e/support/programs.ts'
import { type Started, startNode } from '../e2e/support/processes.ts'
import { until } from '../e2e/support/until.ts'
import { branch, commitOn, openScene, stateOf, test } from './scene.ts'

type Scene = Awaited<ReturnType<typeof openScene>>

/** A merge that makes a commit, from a branch of the person's own, with a hook of Git that waits. */
export async function mergeAt(scene: Scene, baseUrl: string, hook: string) {
  const { web, mission, folder, alice, home } = scene
  await scene.work()
  commitOn(web, 'other.ts', 'other\n')
  web.git('switch', '--quiet', '--create', 'own-idea')
  const before = stateOf(web)
  const [reached, go] = [join(folder, 'reached'), join(folder, 'go')]
  const path = join(web.path, '.git', 'hooks', hook)
  const waiting = `touch '${reached}'; until [ -e '${go}' ]; do sleep 0.05; done`
  writeFileSync(path, `#!/bin/sh\n${waiting}\n`)
  chmodSync(path, 0o755)
  const svc = startNode(programs.svc, ['review', mission.displayId, '--merge'], {
    cwd: folder,
    env: {
      HOME: folder,
      SVC_BACKEND_URL: baseUrl,
      SVC_USER_TOKEN: alice.token,
      SVC_RUNNER_HOME: home.folder,
    },
  })
  await until('the hook waits', () => existsSync(reached) || svc.isOver(), { details: svc.output })
  return {
    svc,
    before,
    again: () => scene.svc('review', mission.displayId, '--merge'),
    withoutHook: () => rmSync(path),
    /** Lets the hook end, whoever has started it. */
    [Symbol.dispose]: () => writeFileSync(go, ''),
  }
}

/** The service's command and its Git at one moment, as a machine that loses its power. */
async function killBoth(scene: Scene, svc: Started) {
  const note = readFileSync(join(scene.web.path, '.git', 'svc', 'merge.json'), 'utf8')
  const { git } = JSON.parse(note) as { git: { pid: number } }
  svc.kill('SIGKILL')
  process.kill(-git.pid, 'SIGKILL')
  await svc.ended
}

const moments = {
  switched: { at: 'after the switch to the base', hook: 'post-checkout', command: '' },
  staged: { at: 'once the merge is staged', hook: 'pre-merge-commit', command: 'reset --merge' },
  committing: {
    at: 'once the merge is to be committed',
    hook: 'commit-msg',
    command: 'merge --abort',
  },
}
type Moment = keyof typeof moments
type KillMoment = Exclude<Moment, 'switched'>

export function takesBackInterrupted(
  cases: readonly { moment: Moment; signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' }[],
) {
  const interruptions = cases.map(({ moment, signal }) => ({ ...moments[moment], signal }))
  test.for(interruptions)(
    'a merge that is interrupted $at by $signal is taken back',
    async ({ hook, signal }, { place }) => {
      using scene = await openScene(place)
      using merging = await mergeAt(scene, place.baseUrl, hook)
      const { svc, before } = merging
      if (hook === 'post-checkout') merging.withoutHook()

      svc.kill(signal)
      await svc.ended

      expect(svc.output()).toContain('Nothing was changed')
      expect(svc.output()).toContain(signal)
      expect(stateOf(scene.web)).toEqual(before)
      expect(existsSync(join(scene.web.path, '.git', 'svc', 'merge.json'))).toBe(false)
    },
  )
}

export function mergesAfterKill(moment: KillMoment) {
  const { at, hook } = moments[moment]
  test(`a merge that was killed ${at} is taken back by the next one, which merges`, async ({
    place,
  }) => {
    using scene = await openScene(place)
    const { web } = scene
    using merging = await mergeAt(scene, place.baseUrl, hook)
    await killBoth(scene, merging.svc)
    expect(web.git('status', '--porcelain')).toBe('A  switch.ts')
    merging.withoutHook()

    const { code, stdout } = await merging.again()

    expect(code).toBe(0)
    expect(stdout).toContain(`Merged ${branch} into main`)
    expect(web.git('status', '--porcelain')).toBe('')
    expect(web.git('rev-list', '--count', '--merges', 'main')).toBe('1')
  })
}

export function outlivesKills(at: readonly KillMoment[]) {
  for (const moment of at) mergesAfterKill(moment)
  describe.for(at.map((moment) => moments[moment]))(
    'a merge that was killed $at',
    ({ hook, command }) => {
      test.for([
        { what: 'a file that was edited since', file: 'switch.ts' },
        { what: 'a file that came since', file: 'notes.txt' },
      ])('stays, with $what, and the way back is printed', async ({ file }, { place }) => {
        using scene = await openScene(place)
        const { web } = scene
        using merging = await mergeAt(scene, place.baseUrl, hook)
        await killBoth(scene, merging.svc)
        merging.withoutHook()
        writeFileSync(join(web.path, file), 'mine\n')
        const before = stateOf(web)

        const answer = await merging.again()

        expect(answer).toMatchObject({ code: 5, stdout: '' })
        expect(answer.stderr).toContain(`git -C ${web.path} ${command}`)
        expect(stateOf(web)).toEqual(before)
        expect(readFileSync(join(web.path, file), 'utf8')).toBe('mine\n')
      })

      test('and whose Git alone was killed, is taken back at once', async ({ place }) => {
        using scene = await openScene(place)
        using merging = await mergeAt(scene, place.baseUrl, hook)
        const { svc, before } = merging
        const note = readFileSync(join(scene.web.path, '.git', 'svc', 'merge.json'), 'utf8')

        process.kill((JSON.parse(note) as { git: { pid: number } }).git.pid, 'SIGKILL')
        await svc.ended

        expect(svc.output()).toContain('Nothing was changed')
        expect(stateOf(scene.web)).toEqual(before)
      })
    },
  )
}
