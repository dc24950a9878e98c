import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findCredentials } from './credentials.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-credentials-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const config = () => join(root, 'config', 'svc', 'credentials.json')
const owner = () => join(root, '.svc', 'data', 'owner.json')

function put(path: string, content: unknown, mode = 0o600): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode })
  return path
}

interface Options {
  url?: string
  tokenFile?: string
  workspace?: string
}

function find(env: NodeJS.ProcessEnv = {}, options: Options = {}) {
  const home = { HOME: root, XDG_CONFIG_HOME: join(root, 'config') }
  return findCredentials({ env: { ...home, ...env }, repositoryRoot: root, ...options })
}

const fromEnvironment = { SVC_BACKEND_URL: 'http://env:1', SVC_USER_TOKEN: 'from-env' }

describe('where the service and the token come from', () => {
  test('of several workspaces at one service the named one counts, else the newest login', () => {
    const at = (workspace: string) => ({
      baseUrl: 'http://team:1',
      token: `of-${workspace}`,
      workspace,
    })
    put(config(), { ...at('side'), others: [at('main')] })
    put(owner(), { ...at('local'), baseUrl: 'http://127.0.0.1:4600' })
    expect(find()).toMatchObject(at('side'))
    expect(find({}, { workspace: 'main' })).toMatchObject(at('main'))
    expect(find({}, { workspace: 'local' })).toMatchObject({ token: 'of-local' })
    expect(() => find({}, { url: 'http://team:1', workspace: 'local' })).toThrow(
      'No login is known for the workspace local at http://team:1: run svc login --url http://team:1 --workspace local.',
    )
    put(owner(), { ...at('main'), baseUrl: 'http://127.0.0.1:4600' })
    expect(() => find({}, { workspace: 'main' })).toThrow(
      'There is a workspace main at http://team:1 and one at http://127.0.0.1:4600: say which by --url.',
    )
    expect(find({}, { url: 'http://127.0.0.1:4600', workspace: 'main' })).toMatchObject({
      baseUrl: 'http://127.0.0.1:4600',
    })
    const inRun = { ...fromEnvironment, SVC_EXECUTION_REQUEST_ID: 'x' }
    expect(find(inRun, { workspace: 'main' })).toMatchObject({ token: 'from-env' })
    expect(() => find(fromEnvironment, { workspace: 'main' })).toThrow(
      'A token is of one workspace, so --workspace main chooses none: leave it out, or unset SVC_USER_TOKEN.',
    )
  })

  test('options stand above the environment', () => {
    const tokenFile = put(join(root, 'token'), 'from-file\n')
    expect(find(fromEnvironment, { url: 'http://option:1/', tokenFile })).toMatchObject({
      baseUrl: 'http://option:1',
      token: 'from-file',
    })
  })

  test('the environment stands above the files', () => {
    put(config(), { baseUrl: 'http://config:1', token: 'from-config' })
    expect(find(fromEnvironment)).toMatchObject({ baseUrl: 'http://env:1', token: 'from-env' })
    expect(find({ SVC_BASE_URL: 'http://base:1', SVC_USER_TOKEN: 'from-env' })).toMatchObject({
      baseUrl: 'http://base:1',
    })
  })

  test('what no header can carry is no token, wherever it stands', () => {
    const env = { SVC_BACKEND_URL: 'http://env:1', SVC_USER_TOKEN: 'svcut_a\nmore' }
    expect(() => find(env)).toThrow('SVC_USER_TOKEN holds more than a token')
    const tokenFile = put(join(root, 'token'), 'svcut_a\nmore\n')
    expect(() => find({}, { url: 'http://option:1', tokenFile })).toThrow(`${tokenFile} holds more`)
    put(config(), { baseUrl: 'http://config:1', token: 'svcut_a\nmore' })
    expect(() => find()).toThrow(`${config()} holds more than a token`)
    expect(find({ ...env, SVC_USER_TOKEN: 'svcut_a\n' })).toMatchObject({ token: 'svcut_a' })
  })

  test("the person's own file stands above the standalone app's", () => {
    put(owner(), { baseUrl: 'http://127.0.0.1:4600', token: 'from-owner' })
    expect(find()).toMatchObject({ baseUrl: 'http://127.0.0.1:4600', token: 'from-owner' })
    put(config(), { baseUrl: 'http://config:1', token: 'from-config' })
    expect(find()).toMatchObject({ baseUrl: 'http://config:1', token: 'from-config' })
  })

  test('SVC_DATA_DIR moves the folder of the standalone app', () => {
    put(join(root, 'elsewhere', 'owner.json'), { baseUrl: 'http://o:1', token: 'from-owner' })
    expect(find({ SVC_DATA_DIR: 'elsewhere' })).toMatchObject({ token: 'from-owner' })
  })

  test("a file's token never goes to another address", () => {
    put(config(), { baseUrl: 'http://config:1', token: 'from-config' })
    expect(find({}, { url: 'http://config:1/' })).toMatchObject({ token: 'from-config' })
    expect(() => find({}, { url: 'http://elsewhere:1' })).toThrow('No token is known')
  })

  test('one file holds the tokens of several services', () => {
    const others = [{ baseUrl: 'https://other.example', token: 'from-other' }]
    put(config(), { baseUrl: 'http://config:1', token: 'from-config', others })
    expect(find()).toMatchObject({ token: 'from-config' })
    expect(find({ SVC_BACKEND_URL: 'https://other.example' })).toMatchObject({
      token: 'from-other',
    })
  })
})

describe('what is refused', () => {
  test('a file that others can read, with the command that repairs it', () => {
    const path = put(config(), { baseUrl: 'http://config:1', token: 'from-config' }, 0o640)
    expect(() => find()).toThrow(`chmod 600 ${path}`)
  })

  test('a token without an address', () => {
    expect(() => find({ SVC_USER_TOKEN: 'from-env' })).toThrow('set SVC_BACKEND_URL')
  })

  test('nothing at all, in one sentence that says what to do', () => {
    expect(() => find()).toThrow(
      'No service is known: run npm start, or svc login --url <address>.',
    )
  })

  test.each([
    '{',
    '[]',
    '{"token":"x"}',
    '{"baseUrl":"http://a:1","token":"x","others":{}}',
    '{"baseUrl":"http://a:1","token":"x","others":[null]}',
  ])('a file that holds %s', (content) => {
    put(config(), content)
    expect(() => find()).toThrow(config())
  })
})
