import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInTest } from '@svc/cli/testing/cli'
import { describe, expect } from 'vitest'
import { branch, openScene, stateOf, test } from './scene.ts'

describe('a review', () => {
  test('shows delivery, reasons, place, diff and what to do, and changes nothing', async ({
    service,
  }) => {
    using scene = await openScene(service)
    const { svc, mission, web } = scene
    const { worktree } = await scene.work()
    writeFileSync(join(web.path, 'mine.txt'), 'not committed\n')
    const before = stateOf(web)

    const { code, stdout, stderr } = await svc('review', mission.displayId)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const told of [
      'Wrote switch.ts.',
      'why: It was asked for',
      `here, in worktree ${worktree}`,
      'not merged',
      '+++ b/switch.ts\n@@ -0,0 +1 @@\n+on',
      `cd ${worktree}`,
      `svc review ${mission.displayId} --checkout`,
      `svc review ${mission.displayId} --merge`,
      `svc review ${mission.displayId} --accept`,
    ]) {
      expect(stdout).toContain(told)
    }
    expect(stdout).toMatch(/^Delivered by \S+, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/m)
    expect(stdout).not.toContain('\u001b')
    expect(stateOf(web)).toEqual(before)
  })

  test('is short with --stat, and for programs with --json', async ({ service }) => {
    using scene = await openScene(service)
    const { headSha } = await scene.work()
    const short = await scene.svc('review', scene.mission.displayId, '--stat')
    expect(short.stdout).toMatch(/ switch\.ts \| 1 \+\n 1 file changed/)
    expect(short.stdout).not.toContain('+++ b/switch.ts')
    const { stdout } = await scene.svc('review', scene.mission.displayId, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      mission: { displayId: scene.mission.displayId },
      delivery: { summary: 'Wrote switch.ts.' },
      branches: [
        {
          branch,
          tip: headSha,
          state: 'open',
          fileChanges: [{ filePath: 'switch.ts' }],
          diff: { source: 'git' },
        },
      ],
    })
  })

  test('offers a viewer nothing that a viewer may not', async ({ service }) => {
    using scene = await openScene(service, ['one'])
    const { mission, home } = scene
    await scene.work()
    const vera = service.world.vera
    const env = {
      SVC_BACKEND_URL: service.baseUrl,
      SVC_USER_TOKEN: vera.token,
      SVC_RUNNER_HOME: home.folder,
    }
    const id = mission.displayId
    const story = await runInTest(env, 'missions', 'show', id)
    expect(story.code).toBe(0)
    expect(story.stdout).toContain(`svc review ${id}\n`)
    expect(story.stdout).not.toContain('svc missions move')
    const review = await runInTest(env, 'review', id)
    expect(review.stdout).toContain(`svc review ${id} --merge\n`)
    expect(review.stdout).not.toMatch(/--accept|--changes/)
  })

  test('of what nobody launched says so', async ({ service }) => {
    using scene = await openScene(service)
    const { code, stdout } = await scene.svc('review', scene.mission.displayId)
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing was delivered yet.')
    const merging = await scene.svc('review', scene.mission.displayId, '--merge')
    expect(merging).toMatchObject({ code: 5, stderr: expect.stringContaining('no_branch:') })
  })
})

test.each([
  ['--checkout', '--merge'],
  ['--accept', '--changes', 'x'],
  ['--launch'],
  ['--changes', ' '],
])('verbs that contradict each other are refused: %s %s', async (...argv) => {
  const { runInTest } = await import('@svc/cli/testing/cli')
  const words = argv.filter((word) => typeof word === 'string')
  expect((await runInTest({}, 'review', 'web:1', ...words)).code).toBe(2)
})
