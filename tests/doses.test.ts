import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf, hasLarger } from './doses.ts'
import { shareOf } from './longest-first.ts'

const cwd = join(import.meta.dirname, '..')
const ciRun = join(cwd, '.ci/run')

/** Once for each project that takes it. */
function taken(mode: string): string[] {
  return Object.values(filesOf(mode)).flatMap(({ include, exclude }) =>
    globSync(include, { cwd, exclude }),
  )
}

test('every test file is run by one project: by `npm test`, or as a larger dose where its name or one of its tests says so', () => {
  const all = globSync('**/*.test.ts', {
    cwd,
    exclude: ['**/node_modules/**', '.svc/**'],
  })
  const isLarge = (path: string) => path.includes('.large.')
  expect(taken('test').toSorted()).toEqual(all.filter((path) => !isLarge(path)).toSorted())
  expect(taken('large').toSorted()).toEqual(all.filter(hasLarger).toSorted())
})

test('a test has its tag in its own file, by which the larger doses find it', () => {
  const others = globSync('{packages,apps}/*/src/**/*.ts', { cwd })
    .concat(globSync('tests/**/*.ts', { cwd, exclude: ['**/node_modules/**'] }))
    .filter((path) => !path.endsWith('.test.ts') && path !== 'tests/doses.ts')
  expect(others.filter(hasLarger)).toEqual([])
})

test('each larger dose is in one of the shares that `.ci/run` takes in turn, which hold about as many', () => {
  const { shares } = /^shares=(?<shares>\d+)$/m.exec(readFileSync(ciRun, 'utf8'))?.groups ?? {}
  const count = Number(shares)
  const files = Object.entries(filesOf('large')).flatMap(([name, { include, exclude }]) =>
    globSync(include, { cwd, exclude }).map((moduleId) => ({
      moduleId: `/${moduleId}`,
      project: { name },
    })),
  )
  const taken = Array.from({ length: count }, (_, at) => shareOf(files, { index: at + 1, count }))
  expect(new Set(taken.flat())).toEqual(new Set(files))
  expect(taken.flat()).toHaveLength(files.length)
  const sizes = taken.map(({ length }) => length)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
})
