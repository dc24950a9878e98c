import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from './support/app.ts'
import { type Clone, cloneRepository } from './support/clone.ts'
import type { Started } from './support/processes.ts'

const installing = 'Installing the dependencies'
const oneTest = ['test', 'tests/workspace.test.ts'] as const
const aCommand = ['svc', '--version'] as const

function clone(): Clone {
  const made = cloneRepository()
  onTestFinished(() => made[Symbol.dispose]())
  return made
}

async function expectGood(started: Started): Promise<Started> {
  const ended = await started.ended
  if (ended.code !== 0)
    throw new Error(`It ended with ${JSON.stringify(ended)}:\n${started.output()}`)
  return started
}

/** Every package that is installed, by the name of its folder. */
const packagesOf = ({ folder }: Clone) => readdirSync(join(folder, 'node_modules/.pnpm'))

const hasTests = ({ folder }: Clone) => existsSync(join(folder, 'node_modules/vitest/vitest.mjs'))

test('npm start installs what it runs with and no more; npm test adds its own to it, and neither takes from the other', async () => {
  const repository = clone()
  await using app = await createApp(repository.bootstrap)
  Object.assign(app.env, repository.env)

  const first = app.start('start', '--once')
  await app.says(first, 'launched')
  expect(first.output()).toContain(installing)
  const run = packagesOf(repository)
  const development =
    /^(vitest|playwright-core|oxlint|typescript|knip|turbo|@sparticuz|@types\+node|@types\+pg)/
  expect(run.filter((name) => development.test(name))).toEqual([])
  expect(globSync('{tests,packages/testing}/node_modules', { cwd: repository.folder })).toEqual([])

  const tests = await expectGood(await repository.run(...oneTest))
  expect(tests.output()).toContain(installing)
  expect(tests.stdout()).toMatch(/[1-9]\d* passed, 0 failed/)
  expect(packagesOf(repository)).toEqual(expect.arrayContaining(run))
  await expectGood(first)

  const second = await expectGood(app.start('start', '--once'))
  const again = await expectGood(await repository.run(...oneTest))
  expect(second.output() + again.output()).not.toContain(installing)

  // a dependency that changes brings both up to date
  appendFileSync(join(repository.folder, 'pnpm-workspace.yaml'), '\n# changed\n')
  const changed = await expectGood(await repository.run(...aCommand))
  expect(changed.output()).toContain(installing)
  expect(hasTests(repository)).toBe(true)
})

test('tests whose installation was killed leave npm start what it runs with, and install anew what was half there', async () => {
  const repository = clone()
  await expectGood(await repository.run(...aCommand))
  const run = packagesOf(repository)

  // pnpm takes this for the whole package
  const whole = realpathSync(
    join(dirname(fileURLToPath(import.meta.url)), '../node_modules/vitest'),
  )
  const name = basename(dirname(dirname(whole)))
  const half = join(repository.folder, 'node_modules/.pnpm', name, 'node_modules/vitest')
  mkdirSync(half, { recursive: true })
  writeFileSync(join(half, 'package.json'), '{ "name": "vitest" }')
  writeFileSync(join(repository.folder, '.svc/install.unfinished'), '')

  const command = await expectGood(await repository.run(...aCommand))
  expect(command.output()).not.toContain(installing)
  const tests = await expectGood(await repository.run(...oneTest))
  expect(tests.stdout()).toMatch(/[1-9]\d* passed, 0 failed/)
  expect(packagesOf(repository)).toEqual(expect.arrayContaining(run))
})

test('tests alone install what npm start runs with, too', async () => {
  const repository = clone()
  await expectGood(await repository.run(...oneTest))
  const command = await expectGood(await repository.run(...aCommand))
  expect(command.output()).not.toContain(installing)
})
