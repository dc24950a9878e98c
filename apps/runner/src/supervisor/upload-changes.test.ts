import { describe, expect, test } from 'vitest'
import { brokenConnection } from '../testing/contract-service.ts'
import { openProject } from '../testing/other-resources.ts'
import { uploadChanges } from './upload-changes.ts'

const changes = {
  baseSha: 'a'.repeat(40),
  headSha: 'b'.repeat(40),
  files: Array.from({ length: 1_200 }, (_, n) => ({
    filePath: `f${n}`,
    additions: 1,
    deletions: 0,
    ...(n % 100 === 0 && { patch: `diff --git a/f${n} b/f${n}\n+${'x'.repeat(400_000)}\n` }),
  })),
  truncated: true,
  dirty: false,
  complete: true,
}

describe('what a run changed', () => {
  test('is reported in parts, of which the last says that it is whole', async () => {
    await using project = await openProject()
    await uploadChanges(project.run(), changes)
    const { received } = project.service
    const routes = received.map(({ route }) => route)
    const files = ['reportRunFiles', 'reportRunFiles']
    expect(routes.slice(0, 2)).toEqual(files)
    expect(routes.at(-1)).toBe('completeRunFiles')
    expect(new Set(routes.slice(2, -1))).toEqual(new Set(['reportRunPatches']))
    for (const { body } of project.service.calls('reportRunPatches')) {
      expect(JSON.stringify(body).length).toBeLessThan(2.5 * 1024 * 1024)
    }
    const { files: reported, patch, ...whole } = project.service.changes()
    expect(reported.map(({ filePath }) => filePath)).toEqual(
      changes.files.map(({ filePath }) => filePath),
    )
    expect(patch).toBe(changes.files.map((one) => one.patch ?? '').join(''))
    expect(whole).toMatchObject({ patches: 12, truncated: true, complete: true })
    expect(new Set(received.map(({ body }) => body['report'])).size).toBe(1)
  })

  test(
    'is the same report for whoever sends it again after a part was lost',
    { tags: 'large' },
    async () => {
      await using project = await openProject()
      const run = project.run()
      let lost = 0
      project.service.answer('reportRunPatches', () => {
        lost += 1
        return lost === 2 ? brokenConnection : undefined
      })
      await uploadChanges(run, changes)
      await uploadChanges(run, changes)
      const named = new Set(project.service.received.map(({ body }) => body['report']))
      expect(named.size).toBe(1)
      expect(lost).toBeGreaterThan(2)
      await uploadChanges(run, { ...changes, dirty: true })
      const last = project.service.received.at(-1)?.body['report']
      expect(named.has(last)).toBe(false)
    },
  )
})
