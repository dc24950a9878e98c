import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openScene, stateOf, test } from './scene.ts'

describe('a review', () => {
  test(
    'shows delivery, reasons, place, diff and what to do, and changes nothing',
    { tags: 'large' },
    async ({ place }) => {
      using scene = await openScene(place)
      const { svc, mission, web } = scene
      const { worktree } = await scene.work()
      writeFileSync(join(web.path, 'mine.txt'), 'not committed\n')
      const before = stateOf(web)

      const { code, stdout, stderr } = await svc('review', mission.displayId)

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      for (const text of [
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
        expect(stdout).toContain(text)
      }
      expect(stdout).toMatch(/^Delivered by \S+, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/m)
      expect(stdout).not.toContain('\u001b')
      expect(stateOf(web)).toEqual(before)
    },
  )

  test('of what nobody launched says so', { tags: 'large' }, async ({ place }) => {
    using scene = await openScene(place)
    const { code, stdout } = await scene.svc('review', scene.mission.displayId)
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing was delivered yet.')
    expect(stdout).toMatch(/What to do now\n.*\n {2}svc launch /)
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
