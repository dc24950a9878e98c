import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Listening, listen } from '@svc/testing/listen'
import { gitIn } from '@svc/testing/temporary'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runInTest } from '../testing/cli.ts'

const projectId = '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b02'

interface Linked {
  resourceKey: string
  defaultBranch?: string
  checkouts?: object[]
}

let server: Listening
let linked: Linked[]
let refusal: { status: number; code: string } | undefined
let calls: { route: string; body: Record<string, unknown> | undefined }[]
let root: string

beforeAll(async () => {
  const answering = createServer((incoming, outgoing) => {
    void (async () => {
      const sent = await text(incoming)
      const route = `${incoming.method} ${incoming.url}`
      const body = sent === '' ? undefined : (JSON.parse(sent) as Record<string, unknown>)
      calls.push({ route, body })
      const { status, json } = answerOf(route, body)
      outgoing.writeHead(status, { 'content-type': 'application/json' })
      outgoing.end(json === undefined ? undefined : JSON.stringify(json))
    })()
  })
  server = await listen(answering)
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  linked = []
  calls = []
  refusal = undefined
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-link-')))
})
afterEach(() => rmSync(root, { recursive: true }))

function answerOf(route: string, body: Record<string, unknown> | undefined) {
  const shown = { permission: 'rw', primary: true, state: 'unavailable', path: null }
  if (route === 'GET /api/projects/web') {
    const project = { id: projectId, slug: 'web', defaultBranch: 'main' }
    return { status: 200, json: { project } }
  }
  if (route === 'GET /api/projects/web/resources') {
    const resources = linked.map((one) => ({ ...shown, checkouts: [], ...one }))
    return { status: 200, json: { resources } }
  }
  if (route.startsWith('DELETE')) {
    if (refusal === undefined) return { status: 204, json: undefined }
    const { status, code } = refusal
    return { status, json: { error: { code, message: 'Not so.', requestId: 'r' } } }
  }
  return { status: 200, json: { resource: { ...shown, ...body } } }
}

function environment() {
  return { SVC_BACKEND_URL: server.url, SVC_USER_TOKEN: 'token' }
}

function svc(...argv: string[]) {
  return runInTest(environment(), 'resource', ...argv, '--runner-home', join(root, 'home'))
}

function repository(name: string, branch = 'main'): string {
  const folder = join(root, name)
  mkdirSync(folder)
  gitIn(folder, 'init', '--quiet', `--initial-branch=${branch}`)
  gitIn(folder, 'commit', '--quiet', '--no-gpg-sign', '--allow-empty', '-m', 'Begin')
  return folder
}

function links(): { resourceKey: string; path: string }[] {
  const all = JSON.parse(readFileSync(join(root, 'home', 'resources.json'), 'utf8')) as Linked[]
  return all as never
}

describe('resource link', () => {
  test('of a repository without files names what to link, and of no repository how to make one', async () => {
    const made = ['bare.git', 'empty'].map((name) => join(root, name))
    const [bare = '', empty = ''] = made
    for (const folder of made) mkdirSync(folder)
    execFileSync('git', ['init', '--quiet', '--bare', bare])
    expect(await svc('link', 'web', bare)).toMatchObject({
      stderr: `usage: ${bare} is a git repository without files to work on: clone it, and name the clone.\n`,
    })
    expect(await svc('link', 'web', empty)).toMatchObject({
      stderr: `usage: ${empty} is no git repository: run git init in it.\n`,
    })
  })

  test('of a folder inside a repository names the repository', async () => {
    const top = repository('web')
    mkdirSync(join(top, 'src'))
    expect(await svc('link', 'web', join(top, 'src'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`lies in the git repository ${top}: name that`),
    })
  })

  test('registers the checkout with the service and with the runner', async () => {
    mkdirSync(join(root, 'Web Shop'))
    expect(await svc('link', 'web', join(root, 'Web Shop'))).toMatchObject({ code: 2 })
    expect(calls).toEqual([])
    rmSync(join(root, 'Web Shop'), { recursive: true })

    const checkout = repository('Web Shop')
    const { code, stderr } = await svc('link', 'web', checkout, '--primary')

    expect(code).toBe(0)
    expect(stderr).toContain('has reported. Where none runs: svc runner start')
    expect(calls.at(-1)?.body).toEqual({
      resourceKey: 'web-shop',
      permission: 'rw',
      primary: true,
      defaultBranch: 'main',
    })
    expect(links()).toEqual([
      { projectId, projectSlug: 'web', resourceKey: 'web-shop', path: checkout },
    ])
  })

  test('finds what branches are cut from, and shows it', { tags: 'large' }, async () => {
    const alone = repository('alone', 'master')
    expect((await svc('link', 'web', alone)).stdout).toMatch(/base +master\n/)
    expect(calls.at(-1)?.body).toMatchObject({ defaultBranch: 'master' })

    gitIn(root, 'clone', '--quiet', alone, 'cloned')
    gitIn(join(root, 'cloned'), 'switch', '--quiet', '--create', 'feature')
    await svc('link', 'web', join(root, 'cloned'))
    expect(calls.at(-1)?.body).toMatchObject({ defaultBranch: 'master' })
  })

  test(
    'takes the branch that is named, and keeps the one that the resource has',
    { tags: 'large' },
    async () => {
      const checkout = repository('shop', 'master')
      gitIn(checkout, 'branch', 'develop')
      await svc('link', 'web', checkout, '--base', 'develop')
      expect(calls.at(-1)?.body).toMatchObject({ defaultBranch: 'develop' })

      linked = [{ resourceKey: 'shop', defaultBranch: 'develop' }]
      await svc('link', 'web', checkout)
      expect(calls.at(-1)?.body).toMatchObject({ defaultBranch: 'develop' })

      linked = [{ resourceKey: 'shop', defaultBranch: 'trunk' }]
      expect(await svc('link', 'web', checkout)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('has no branch trunk'),
      })
    },
  )

  test('asks for a branch where none can be found', async () => {
    const checkout = repository('shop')
    gitIn(checkout, 'checkout', '--quiet', '--detach')
    const { code, stderr } = await svc('link', 'web', checkout)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `usage: ${checkout} is on no branch: name the one to start from with --base.\n`,
    })
  })

  test('refuses the same folder under a second key', async () => {
    const checkout = repository('shop')
    await svc('link', 'web', checkout)
    calls = []
    expect(await svc('link', 'web', checkout, '--key', 'store')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('svc resource unlink web shop'),
    })
    expect(links()).toHaveLength(1)
    expect(calls.filter(({ route }) => route.startsWith('POST'))).toEqual([])
    expect(await svc('link', 'web', checkout)).toMatchObject({ code: 0 })
  })

  test(
    'means the folder in which its caller stood when npm runs it',
    { tags: 'large' },
    async () => {
      const checkout = repository('shop')
      const words = ['resource', 'link', 'web', '.', '--runner-home', '../home']
      const root = fileURLToPath(new URL('../../../../', import.meta.url))
      const npm = ['--prefix', root, 'run', '--silent', 'svc', '--']
      const env = { ...process.env, ...environment() }
      await promisify(execFile)('npm', [...npm, ...words], { cwd: checkout, env })
      expect(links()).toMatchObject([{ path: checkout }])
    },
  )
})

describe('resource list', () => {
  test('shows every resource, with its base, its runners and where it lies here', async () => {
    const checkouts = [
      { runner: { label: 'lap', state: 'connected' }, state: 'usable' },
      { runner: { label: 'old', state: 'unavailable' }, state: 'missing' },
    ]
    linked = [{ resourceKey: 'shop', defaultBranch: 'master', checkouts }, { resourceKey: 'docs' }]
    const checkout = repository('shop', 'master')
    await svc('link', 'web', checkout)
    const { stdout } = await svc('list', 'web')
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['RESOURCE', 'RIGHTS', 'PRIMARY', 'BASE', 'STATE', 'RUNNERS', 'CLONED FROM', 'PATH HERE'],
      ['shop', 'rw', 'yes', 'master', 'unavailable', 'lap, old (missing, away)', '-', checkout],
      ['docs', 'rw', 'yes', 'main', 'unavailable', '-', '-', '-'],
      [''],
    ])
  })
})

describe('resource link without a folder', () => {
  const cloneUrl = 'https://git.example.com/acme/web.git'

  test('says where runners clone the resource from, and links nothing here', async () => {
    const { code, stdout } = await svc('link', 'web', '--key', 'shop', '--clone-url', cloneUrl)
    expect(code).toBe(0)
    expect(stdout).toContain(cloneUrl)
    expect(calls.at(-1)).toEqual({
      route: 'POST /api/projects/web/resources',
      body: { resourceKey: 'shop', permission: 'rw', cloneUrl },
    })
    await svc('link', 'web', '--key', 'shop', '--no-clone-url')
    expect(calls.at(-1)?.body).toMatchObject({ resourceKey: 'shop', cloneUrl: null })
    expect(existsSync(join(root, 'home', 'resources.json'))).toBe(false)
  })

  test('needs its key and the address', async () => {
    for (const options of [[], ['--key', 'shop'], ['--clone-url', cloneUrl]]) {
      expect(await svc('link', 'web', ...options)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--key and --clone-url'),
      })
    }
    expect(calls).toEqual([])
  })
})

describe('resource unlink', () => {
  test.each([
    ['here and at the service', [], undefined, 'everywhere'],
    ['here alone with --here', ['--here'], undefined, 'on this machine'],
    ['here alone without the right', [], { status: 403, code: 'forbidden' }, 'on this machine'],
  ])('takes it away %s', { tags: 'large' }, async (_, options, refused, where) => {
    await svc('link', 'web', repository('shop'))
    refusal = refused
    const { code, stdout } = await svc('unlink', 'web', 'shop', ...options)
    expect(code).toBe(0)
    expect(stdout).toContain(where)
    expect(links()).toEqual([])
    const asked = calls.some(({ route }) => route === 'DELETE /api/projects/web/resources/shop')
    expect(asked).toBe(options.length === 0)
  })

  test('leaves everything where the service refuses it for another reason', async () => {
    await svc('link', 'web', repository('shop'))
    refusal = { status: 409, code: 'resource_in_use' }
    expect(await svc('unlink', 'web', 'shop')).toMatchObject({ code: 5 })
    expect(links()).toHaveLength(1)
  })
})
