import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const reporter = new URL('coverage-reporter.ts', import.meta.url).href
const config = `
import { coverageReporter } from ${JSON.stringify(reporter)}
export default {
  test: { globals: true, testTimeout: 0, reporters: ['default', coverageReporter()] },
}`
const endless = `
import { writeFileSync } from 'node:fs'
test('never ends', () => {
  writeFileSync('begun', '')
  return new Promise(() => {})
})`

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-interrupted-'))
  writeFileSync(join(folder, 'vitest.config.mjs'), config)
  writeFileSync(join(folder, 'endless.test.mjs'), endless)
})

afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['by Ctrl-C', ['SIGINT'], 130],
  ['by a Ctrl-C that comes from the terminal and from npm', ['SIGINT', 'SIGINT'], 130],
  ['by whoever ends it', ['SIGTERM'], 143],
] as const)(
  'a run that is interrupted %s says so in its last line',
  async (_, signals, exitCode) => {
    const begun = join(folder, 'begun')
    rmSync(begun, { force: true })
    const run = spawn(process.execPath, [vitest, 'run', '--configLoader=native'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = Promise.all([text(run.stdout), once(run, 'exit')])
    await vi.waitUntil(() => existsSync(begun), { timeout: 250_000 })
    for (const signal of signals) run.kill(signal)
    const [output, [code]] = await ended
    expect(output.trimEnd().split('\n').at(-1)).toBe(
      `interrupted by ${signals[0]}: 0 passed, 0 failed until then`,
    )
    expect(code).toBe(exitCode)
  },
)
