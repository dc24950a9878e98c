import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const program = join(import.meta.dirname, '../.ci/run')

/** What the scripts of npm say and how they end, by their names; `asked` is what npm was given, in that order. */
function runWith(scripts: Record<string, readonly [said: string, status: number]>) {
  const folder = mkdtempSync(join(tmpdir(), 'ci-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const cases = Object.entries(scripts).map(
    ([name, [said, status]]) => `${name}) printf '%b' '${said}'; exit ${status} ;;`,
  )
  const npm = join(folder, 'npm')
  writeFileSync(
    npm,
    `#!/bin/sh\necho "$@" >&2\ncase "$2" in\n${cases.join('\n')}\n*) exit 99 ;;\nesac\n`,
  )
  chmodSync(npm, 0o755)
  const PATH = `${folder}:${process.env['PATH']}`
  const { stdout, stderr, status } = spawnSync(program, { env: { PATH }, encoding: 'utf8' })
  return { lines: stdout.trimEnd().split('\n'), status, asked: stderr.trimEnd().split('\n') }
}

test.for([
  [
    'of both runs',
    ['7 passed, 0 failed\\n', 0],
    ['2 passed, 0 failed\\n', 0],
    '9 passed, 0 failed',
    0,
  ],
  [
    'where the first fails',
    ['6 passed, 1 failed\\n', 1],
    ['2 passed, 0 failed, 3 skipped\\n', 0],
    '8 passed, 1 failed, 3 skipped',
    1,
  ],
  [
    'where the second fails',
    ['7 passed, 0 failed\\n', 0],
    ['1 passed, 1 failed\\n', 1],
    '8 passed, 1 failed',
    1,
  ],
  [
    'where one ends without a count',
    ['half a line', 137],
    ['2 passed, 0 failed\\n', 0],
    '2 passed, 1 failed',
    137,
  ],
  [
    'where one ends well without a count',
    ['', 0],
    ['2 passed, 0 failed\\n', 0],
    '2 passed, 1 failed',
    1,
  ],
] as const)('the last line is the sum %s', ([, first, second, last, status]) => {
  const ran = runWith({ check: ['', 0], test: first, 'test:large': second })
  expect({ last: ran.lines.at(-1), status: ran.status }).toEqual({ last, status })
})

test('the larger doses are taken by the share that the commit names', () => {
  const passed = ['1 passed, 0 failed\\n', 0] as const
  const { asked } = runWith({ check: ['', 0], test: passed, 'test:large': passed })
  expect(asked).toEqual([
    'run check --silent',
    'run test --silent --',
    expect.stringMatching(/^run test:large --silent -- --shard=[1-6]\/6$/),
  ])
})

test('no test is run where the check fails', () => {
  const ran = runWith({ check: ['wrong\\n', 2], test: ['1 passed, 0 failed\\n', 0] })
  expect(ran).toMatchObject({
    lines: ['wrong', 'npm run check failed; no test was run'],
    status: 1,
    asked: ['run check --silent'],
  })
})
