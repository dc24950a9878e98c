import { outlivesKills, takesBackInterrupted, mergeAt } from './interrupted-merge.ts'
import { expect } from 'vitest'
import { until } from '../e2e/support/until.ts'
import { branch, openScene, test } from './scene.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
takesBackInterrupted(
  (['switched', 'staged', 'committing'] as const).flatMap((moment) =>
    signals.map((signal) => ({ moment, signal })),
  ),
)
outlivesKills(['staged', 'committing'])

test('a merge whose command was killed goes on, and nobody takes it back meanwhile', async ({
  place,
}) => {
  using scene = await openScene(place)
  const { web } = scene
  using merging = await mergeAt(scene, place.baseUrl, 'pre-merge-commit')
  merging.svc.kill('SIGKILL')
  await merging.svc.ended

  const refused = await merging.again()

  expect(refused).toMatchObject({ code: 5 })
  expect(refused.stderr).toContain('is still at work')
  expect(web.git('status', '--porcelain')).toBe('A  switch.ts')
  merging[Symbol.dispose]()
  await until('Git has merged', () => web.git('rev-list', '--merges', 'main'))
  expect((await merging.again()).stdout).toBe(`${branch} is in main already.\n`)
})

test('a merge that is interrupted when it is done is reported as one that is', async ({
  place,
}) => {
  using scene = await openScene(place)
  const { web } = scene
  using merging = await mergeAt(scene, place.baseUrl, 'post-merge')

  merging.svc.kill('SIGINT')
  merging[Symbol.dispose]()
  await merging.svc.ended

  expect(merging.svc.output()).toContain(`interrupted: ${branch} is in main`)
  expect(merging.svc.output()).not.toContain('Nothing was changed')
  expect(web.git('rev-list', '--count', '--merges', 'main')).toBe('1')
})
