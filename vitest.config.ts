import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { coverageReporter } from './tests/coverage-reporter.ts'
import { LongestFirst } from './tests/longest-first.ts'
import { scratchFolder } from './tests/scratch-folder.ts'

// Tests never meet what the developer's shell is set up for; SVC_TEST_* is addressed to them.
for (const name of Object.keys(process.env)) {
  if (/^(DATABASE_URL$|PG|SVC_(?!TEST_))/.test(name)) delete process.env[name]
}

process.env['TMPDIR'] = scratchFolder()

// The tests start some hundred processes of the same modules: each of these is compiled once.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('.svc/cache/compile', import.meta.url))

const roots = '{packages,apps}/*/src/**'
/** What a test waits for comes late on a busy machine; a second would only tell how busy it is. */
const expect = { poll: { timeout: 20_000 } }
/** Processes that wait for each other: two of these leave a machine of two cores idle for a third of the time. */
const maxWorkers = 3
const globalSetup = ['packages/testing/src/global-setup.ts']

export default defineConfig({
  test: {
    // Node runs the tests as it runs everything else: its own resolution and type stripping.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: ['default', coverageReporter()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          maxWorkers,
          pool: 'forks',
          // a file's own is what it opens; what all import is read and warmed up once
          isolate: false,
          expect,
          testTimeout: 30_000,
          include: [`${roots}/*.test.ts`, 'tests/{,docs/}*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.db.test.ts', '**/*.e2e.test.ts'],
        },
      },
      {
        test: {
          name: 'db',
          maxWorkers,
          include: [`${roots}/*.db.test.ts`, 'tests/**/*.db.test.ts'],
          pool: 'forks',
          isolate: false,
          globalSetup,
          expect,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.e2e.test.ts'],
          pool: 'forks',
          isolate: false,
          maxWorkers,
          globalSetup,
          expect,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
