import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockHome } from '@svc/runner/daemon/home-lock'
import { writeOffered } from '@svc/runner/daemon/offered'
import { linkCheckout } from '@svc/runner/files/resources'
import { describe, expect } from 'vitest'
import { addOrigin, openScene, test } from './scene.ts'
import { checksOf } from './doctor-scene.ts'

describe('what a person asks the doctor', () => {
  test('asks the runner that runs, whose PATH may be another, for its agents', async ({
    place,
  }) => {
    using scene = await openScene(place)
    using _daemon = lockHome(scene.home)
    const { stdout } = await scene.svc('doctor')
    expect(stdout).toMatch(
      /^warn +agents +none on the PATH of this command; .*: svc runner status$/m,
    )
  })

  test('warns of an agent that says that nobody is signed in, and of no other', async ({
    place,
  }) => {
    using scene = await openScene(place)
    using _daemon = lockHome(scene.home)
    const program = (key: string, told: string) => {
      const path = join(scene.folder, key)
      writeFileSync(path, `#!/bin/sh\n[ "$2" = status ] && { echo '${told}'; exit 1; }\n`)
      chmodSync(path, 0o755)
      return { key, version: null, path }
    }
    const signedOut = [
      program('claude', '{ "loggedIn": false, "authMethod": "none" }'),
      program('codex', 'Not logged in'),
    ]
    const look = async () => {
      const { of } = await checksOf(scene.svc('doctor', '--json'))
      return ['claude', 'codex'].map((key) =>
        of(`agent ${key}`).flatMap(({ state, told }) => (state === 'ok' ? [] : [state, told])),
      )
    }
    writeOffered(scene.home, { agents: signedOut, maxRights: 'all' })
    const told = (key: string) => expect.stringContaining(`${key} says that nobody is signed in`)
    expect(await look()).toEqual([
      ['warn', told('claude')],
      ['warn', told('codex')],
    ])
    program('claude', '{ "loggedIn": true }')
    program('codex', 'unknown command')
    expect(await look()).toEqual([[], []])
  })

  test('says that runs fail until launch settings are trusted', async ({ place }) => {
    using scene = await openScene(place)
    const { alice, project } = scene
    const what = `launch settings ${project.slug}`
    const look = async () => (await checksOf(scene.svc('doctor', '--json'))).of(what)
    expect(await look()).toEqual([])
    await alice.call('updateLaunchSettings', { id: project.id, preCommand: 'nice' })
    const fix = `svc runner trust ${project.slug}`
    expect(await look()).toMatchObject([{ state: 'warn', fix }])
    expect((await scene.svc('runner', 'trust', project.slug, '--yes')).code).toBe(0)
    expect(await look()).toMatchObject([{ state: 'ok' }])
  })

  test('names checkouts and worktrees that need a hand', async ({ place }) => {
    using scene = await openScene(place)
    const { project, web, home } = scene
    const { worktree } = await scene.work()
    writeFileSync(join(worktree, 'half.txt'), 'half')
    const origin = addOrigin(web, join(scene.folder, 'origin'))
    rmSync(origin.path, { recursive: true })
    const here = { projectId: project.id, projectSlug: project.slug }
    linkCheckout(home, { ...here, resourceKey: 'api', path: join(scene.folder, 'gone') })
    linkCheckout(home, { ...here, resourceKey: 'design', path: web.path })

    const { code, of } = await checksOf(scene.svc('doctor', '--json'))

    expect(code).toBe(1)
    expect(of(`checkout ${project.slug} web`)).toMatchObject([
      { state: 'warn', fix: `git -C ${web.path} fetch origin` },
    ])
    expect(of(`checkout ${project.slug} api`)).toMatchObject([
      { state: 'fail', fix: expect.stringContaining('svc resource link') },
    ])
    expect(of(`checkout ${project.slug} design`)).toMatchObject([
      { state: 'warn', fix: `svc resource unlink ${project.slug} design --here` },
    ])
    expect(of('worktree')).toMatchObject([
      { told: expect.stringContaining(worktree), fix: `git -C ${worktree} status` },
    ])
  })
})
