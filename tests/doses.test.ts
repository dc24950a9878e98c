import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf } from './doses.ts'

const cwd = join(import.meta.dirname, '..')

/** Once for each project that takes it. */
function taken(mode: string): string[] {
  return Object.values(filesOf(mode)).flatMap(({ include, exclude }) =>
    globSync(include, { cwd, exclude }),
  )
}

test('every test file is run, by `npm test` or where its name says that it is large, and by one project', () => {
  const all = globSync('**/*.test.ts', {
    cwd,
    exclude: ['**/node_modules/**', '.svc/**'],
  })
  const isLarge = (path: string) => path.includes('.large.')
  expect(taken('large').toSorted()).toEqual(all.filter(isLarge).toSorted())
  expect(taken('test').toSorted()).toEqual(all.filter((path) => !isLarge(path)).toSorted())
})
