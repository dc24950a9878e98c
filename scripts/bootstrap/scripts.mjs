import { agentTools } from './agent-tools.mjs'

/**
 * Every script of the root: what it hands over to, as arguments of Node; whether it runs with the dependencies for
 * development, too, and with our Node and pnpm first on its PATH; whether the paths it is given are the person's, who may
 * stand anywhere; and the npm packages that it needs and the workspace does without. These are got at the first use; the
 * paths of their programs are the script's first arguments. What is not for development has the PATH of the person, with
 * whose Node agents and checks work.
 */
export const scripts = {
  start: { runs: ['apps/standalone/src/main.ts'] },
  parts: { runs: ['apps/standalone/src/parts/main.ts'] },
  admin: { runs: ['apps/standalone/src/admin.ts'], whereThePersonStands: true },
  svc: { runs: ['apps/cli/src/main.ts'], whereThePersonStands: true },
  test: { runs: ['node_modules/vitest/vitest.mjs', 'run'], development: true },
  'test:large': {
    runs: ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'large'],
    development: true,
  },
  check: {
    runs: [
      'node_modules/turbo/bin/turbo',
      'run',
      '--continue',
      'check:types',
      'check:lint',
      'check:format',
      'check:unused',
    ],
    development: true,
  },
  soak: { runs: ['tests/soak/main.ts'], development: true },
  // the former name of `soak`
  hunt: { runs: ['tests/soak/main.ts'], development: true },
  tables: {
    runs: [
      'node_modules/vitest/vitest.mjs',
      'run',
      'packages/db/src/tables.db.test.ts',
      '--update',
    ],
    development: true,
  },
  pack: { runs: ['scripts/pack/main.ts'], development: true },
  screenshots: { runs: ['tests/pages/screenshots.ts'], development: true },
  bench: { runs: ['tests/bench/main.ts'], development: true },
  inspect: {
    runs: ['scripts/inspect.mjs'],
    programs: [
      {
        name: '@modelcontextprotocol/inspector',
        version: '2.12.0',
        file: 'clients/launcher/build/index.js',
        lock: 'inspector.json',
      },
    ],
  },
  conformance: {
    runs: ['tests/conformance/run.ts'],
    development: true,
    programs: [
      {
        name: '@modelcontextprotocol/conformance',
        version: '0.2.0-alpha.12',
        file: 'dist/index.js',
        lock: 'conformance.json',
      },
    ],
  },
  agents: { runs: ['tests/agents/main.ts'], development: true, programs: agentTools },
}
