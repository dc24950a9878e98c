import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { coverageReporter } from './tests/coverage-reporter.ts'
import { filesOf, larger, takesLarger } from './tests/doses.ts'
import { LongestFirst } from './tests/longest-first.ts'
import { scratchFolder } from './tests/scratch-folder.ts'

// Tests never meet what the developer's shell is set up for; SVC_TEST_* is addressed to them.
for (const name of Object.keys(process.env)) {
  if (/^(DATABASE_URL$|PG|SVC_(?!TEST_))/.test(name)) delete process.env[name]
}

process.env['TMPDIR'] = scratchFolder()

// The tests start some hundred processes of the same modules: each of these is compiled once.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('.svc/cache/compile', import.meta.url))

/** What a test waits for comes late on a busy machine; a second would only tell how busy it is. */
const expect = { poll: { timeout: 120_000 } }
/** Processes that wait for each other: two of these leave a machine of two cores idle for a third of the time. */
const maxWorkers = 3
/**
 * Tests start processes by the thousand, and to start one from a process costs what the memory of that process would
 * cost to copy: half the memory is half of that. What malloc has given back it keeps, unless it is told to.
 */
const execArgv = ['--max-semi-space-size=4', '--heap-growing-percent=30']
Object.assign(process.env, {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(256 * 1024),
})
const shared = {
  pool: 'forks',
  execArgv,
  // a file's own is what it opens; what all import is read and warmed up once
  isolate: false,
  expect,
  testTimeout: 300_000,
} as const
const withDatabase = {
  ...shared,
  globalSetup: ['packages/domain/src/testing/global-setup.ts'],
  hookTimeout: 300_000,
}
const withRunners = {
  ...withDatabase,
  globalSetup: [...withDatabase.globalSetup, 'scripts/pack/before-tests.ts'],
}

export default defineConfig(({ mode }) => {
  const { unit, db, e2e, quiet, alone } = filesOf(mode)
  const after = (groupOrder: number) => ({ sequence: { groupOrder } })
  const tags = [{ ...larger, skip: !takesLarger(mode) }]
  return {
    test: {
      // Node runs the tests as it runs everything else: its own resolution and type stripping.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      reporters: ['default', coverageReporter()],
      sequence: { sequencer: LongestFirst },
      tags,
      projects: [
        { test: { name: 'unit', ...shared, ...unit, maxWorkers } },
        { test: { name: 'db', ...withDatabase, ...db, maxWorkers } },
        { test: { name: 'e2e', ...withRunners, ...e2e, maxWorkers } },
        { test: { name: 'quiet', ...withDatabase, ...quiet, ...after(1), maxWorkers: 2 } },
        { test: { name: 'alone', ...withRunners, ...alone, ...after(2), maxWorkers: 1 } },
      ],
    },
  }
})
