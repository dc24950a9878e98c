import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesOfImage, isInBuildContext } from './images.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const apps = globSync('apps/*/src/main.ts', { cwd: root }).map((path) => path.split('/')[1] ?? '')

test.each(apps)('.dockerignore lets through what the image of %s installs from and runs', (app) => {
  const files = filesOfImage(app)
  expect(files).toEqual(
    expect.arrayContaining(['package.json', 'pnpm-lock.yaml', `apps/${app}/src/main.ts`]),
  )
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(files.filter((path) => !isInBuildContext(path))).toEqual([])
})

test('.dockerignore lets nothing else through that is no part of an image', () => {
  const left = ['.git/HEAD', '.env', '.svc/data/owner.json', 'tests/images.ts', 'docs/rest.md']
  const modules = ['node_modules/zod', 'apps/api/node_modules/zod', 'packages/db/src/testing/x.ts']
  expect([...left, ...modules].filter((path) => isInBuildContext(path))).toEqual([])
})

describe('the last line of .dockerignore that means a path or a folder above it decides', () => {
  test.each([
    ['*', 'apps/api/package.json', false],
    ['*\n!apps', 'apps/api/package.json', true],
    ['*\n!apps\n**/testing', 'apps/api/src/testing/place.ts', false],
    ['*\n# !docs', 'docs/rest.md', false],
    ['*\n!infra/patches', 'infra/patches/zod.patch', true],
    ['*\n!infra/patches', 'infra/Caddyfile', false],
    ['', 'docs/rest.md', true],
  ])('%j leaves %s in: %s', (rules, path, isIn) => {
    expect(isInBuildContext(path, rules)).toBe(isIn)
  })
})

test('an image runs as no root, and its program is the app alone', () => {
  expect(read('infra/Dockerfile')).toMatch(/^USER (?!root)/m)
  expect(read('infra/Dockerfile')).toContain('ENTRYPOINT ["node", "src/main.ts"]')
})
