import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockHome } from '@svc/runner/daemon/home-lock'
import { writeOffered } from '@svc/runner/daemon/offered'
import { linkCheckout } from '@svc/runner/files/resources'
import { describe, expect } from 'vitest'
import { addOrigin, openScene, test } from './scene.ts'
import { checksOf } from './doctor-scene.ts'
import { runInTest } from '@svc/cli/testing/cli'

// the connections of a service may take longer than a probe waits
test.beforeEach(async ({ place }) => {
  await expect.poll(async () => (await fetch(`${place.baseUrl}/readyz`)).status).toBe(200)
})

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

  test('is answered line by line, and a warning is no failure', async ({ place }) => {
    using scene = await openScene(place)
    const { stdout, code } = await scene.svc('doctor')
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(stdout).toMatch(/^ok +service +http\S+ is ready$/m)
    expect(stdout).toMatch(/^ok +clock /m)
    expect(stdout).toMatch(/^ok +service version +\d/m)
    expect(stdout).toMatch(/^ok +credential +alice, admin in here/m)
    expect(stdout).toMatch(/^ok +git +git version/m)
    expect(stdout).toMatch(/^warn +daemon .*: svc runner start$/m)
    expect(stdout).toMatch(/^warn +agents +No agent was found/m)
    expect(stdout).toMatch(/^ok +checkout \S+ web +.* base main; without an origin/m)
    expect(stdout).toMatch(/^ok +worktrees +0, none needs a hand$/m)
  })

  test('is told what the runner offers, whatever is on the PATH of the command', async ({
    place,
  }) => {
    using scene = await openScene(place)
    using _daemon = lockHome(scene.home)
    const program = (key: string) => {
      const path = join(scene.folder, key)
      writeFileSync(path, `#!/bin/sh\necho ${key} 1.2\n`, { mode: 0o755 })
      const words = { argv: [['--', '{message}']], briefing: 'system_prompt_file' }
      return { key, binary: path, versionArgs: ['-v'], ...words, sessionId: 'none' }
    }
    const offered = { key: 'claude', version: '2.0', path: '/elsewhere/claude' }
    writeFileSync(scene.home.agentsFile, JSON.stringify([program('new')]))
    const look = async () => (await checksOf(scene.svc('doctor', '--json'))).of
    writeOffered(scene.home, { agents: [offered], maxRights: 'all' })
    const of = await look()
    expect(of('agent claude')).toMatchObject([
      { state: 'ok', told: '2.0, /elsewhere/claude, offered' },
    ])
    expect(of('agent new')).toMatchObject([
      {
        state: 'warn',
        told: expect.stringMatching(/new 1\.2, .*does not offer it.*start it again/),
      },
    ])
    expect(of('agents')).toEqual([])
    writeOffered(scene.home, { agents: [], maxRights: 'all' })
    expect((await look())('agents')).toMatchObject([
      { state: 'warn', told: expect.stringContaining('offers none') },
    ])
    writeFileSync(scene.home.offeredFile, '{')
    expect((await look())('agent new')).toMatchObject([{ state: 'ok' }])
  })

  test('fails where a base is gone, a file is broken, or the service is away', async ({
    place,
  }) => {
    using scene = await openScene(place)
    scene.web.git('branch', '--move', 'main', 'trunk')
    writeFileSync(join(scene.home.folder, 'trust.json'), '[{}]')
    const near = await checksOf(scene.svc('doctor', '--json'))
    expect(near.code).toBe(1)
    expect(near.of(`checkout ${scene.project.slug} web`)).toMatchObject([
      { state: 'fail', told: expect.stringContaining('no commit on main') },
    ])
    expect(near.of('trust')).toMatchObject([
      { state: 'fail', told: expect.stringContaining('repair or remove it') },
    ])

    const env = { SVC_USER_TOKEN: 'x', SVC_RUNNER_HOME: scene.home.folder }
    const away = ['--url', 'http://127.0.0.1:9', 'doctor', '--json']
    const far = await checksOf(runInTest(env, ...away))
    expect(far.code).toBe(1)
    expect(far.of('service')).toMatchObject([{ state: 'fail' }])
    expect(far.of('git')).toMatchObject([{ state: 'ok' }])
  })
})
