import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSocketServer, type Server } from 'node:net'
import { join } from 'node:path'
import { listen } from '@svc/testing/listen'
import { temporaryFolder } from '@svc/testing/temporary'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { filesOfImage, isInBuildContext, stagesOfDockerfile } from './images.ts'

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
    expect(stage('app').text).toContain('ENTRYPOINT ["node", "dist/main.js"]')
    expect(stage('app').text).not.toMatch(/^RUN /m)
  })

  test('git is in the image of runners alone, and what agents start knows no NODE_ENV of ours', () => {
    const withGit = [...stages].filter(([, { text }]) => /\bgit\b/.test(text))
    expect(withGit.map(([name]) => name)).toEqual(['runner'])
    expect(stage('runner').text).not.toContain('NODE_ENV')
    expect(stage('bare').text).not.toContain('NODE_ENV')
  })

  test.each(apps)('packs %s after all that it needs is installed', (app) => {
    expect(stage('files').from).toBe('tools')
    expect(stage('files').text).toContain('node ./scripts/pack/image.ts "${APP}" /image/svc')
    expect(stage('tools').text).toContain(`--filter-prod "@svc/${app}..."`)
  })
})

describe('a packed app', { tags: 'large' }, () => {
  const folder = temporaryFolder()
  const packed = (app: string) => join(folder.path, 'apps', app)
  beforeAll(() => {
    const script = join(root, 'scripts/pack/image.ts')
    for (const app of apps) execFileSync(process.execPath, [script, app, folder.path])
  }, 300_000)
  afterAll(() => folder[Symbol.dispose]())

  test.each(apps)('%s names nothing of the folder that it was made in, and starts', (app) => {
    const files = globSync('**/*.*', { cwd: packed(app) })
    const texts = files.map((file) => readFileSync(join(packed(app), file), 'utf8'))
    expect(texts.filter((text) => text.includes(root))).toEqual([])
    const started = spawnSync(process.execPath, ['dist/main.js', 'no-such-command'], {
      cwd: packed(app),
      env: { PATH: process.env['PATH'] },
      encoding: 'utf8',
    })
    expect(started.status).not.toBe(0)
    const lacking = app === 'admin' ? "unknown command 'no-such-command'" : 'DATABASE_URL'
    expect(started.stdout + started.stderr).toContain(lacking)
  })

  test('holds nothing that builds, draws or tests, and brings the licences of what it holds', () => {
    const licences = readFileSync(join(packed('api'), 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    const held = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+\S*, /gm)].map(([, name]) => name)
    expect(held).toEqual(expect.arrayContaining(['hono', 'kysely', 'pg', 'pg-boss', 'zod']))
    const others = ['vite', 'react', 'react-dom', 'rolldown', 'typescript', 'vitest']
    expect(held.filter((name) => name && others.includes(name))).toEqual([])
    const installed = globSync('{@*/*,[!@]*}', { cwd: join(packed('api'), 'node_modules') })
    expect(installed.toSorted()).toEqual(['@svc/style', 'swagger-ui-dist'])
  })
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

  test(
    'takes whoever does not listen, hangs up or never comes to an end for not ready',
    { tags: 'large' },
    async () => {
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
    },
  )
})
