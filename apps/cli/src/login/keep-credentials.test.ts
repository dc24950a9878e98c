import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCredentials } from '../credentials.ts'
import { nameCredentials, rememberCredentials, removeCredentials } from './keep-credentials.ts'

function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-credentials-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'credentials.json')
  const known = () =>
    readCredentials(path).map(({ token, workspace, runnerHome }) => ({
      token,
      workspace,
      runnerHome,
    }))
  return { path, known }
}

const baseUrl = 'https://svc.example.com'

test('a login to a second workspace keeps the first, and has a folder of its own for its runner', () => {
  const { path, known } = openFile()
  rememberCredentials(path, { baseUrl, token: 'one', workspace: 'main' })
  rememberCredentials(path, { baseUrl, token: 'two' })
  rememberCredentials(path, { baseUrl, token: 'two', workspace: 'side' })
  const side = {
    token: 'two',
    workspace: 'side',
    runnerHome: join(homedir(), '.svc', 'runner-side'),
  }
  expect(known()).toEqual([side, { token: 'one', workspace: 'main', runnerHome: undefined }])

  // signed in again, each keeps the folder that it has
  rememberCredentials(path, { baseUrl, token: 'three', workspace: 'main' })
  rememberCredentials(path, { baseUrl, token: 'four' })
  rememberCredentials(path, { baseUrl, token: 'four', workspace: 'side' })
  expect(known()).toEqual([
    { ...side, token: 'four' },
    { token: 'three', workspace: 'main', runnerHome: undefined },
  ])

  removeCredentials(path, { token: 'four' })
  expect(known()).toEqual([{ token: 'three', workspace: 'main', runnerHome: undefined }])
  removeCredentials(path, { token: 'three' })
  expect(existsSync(path)).toBe(false)
})

test('a login to a second service has a folder of its own for its runner, also where its workspace is called the same', () => {
  const { path, known } = openFile()
  const [one, two] = ['https://one.example', 'https://two.example:8443']
  for (const [service, token, workspace] of [
    [one, 'a', 'main'],
    [two, 'b', 'main'],
    [one, 'c', 'side'],
    [two, 'd', 'side'],
  ] as const) {
    rememberCredentials(path, { baseUrl: service, token })
    rememberCredentials(path, { baseUrl: service, token, workspace })
  }
  const beside = (name: string) => join(homedir(), '.svc', name)
  expect(known().map(({ token, runnerHome }) => [token, runnerHome])).toEqual([
    ['d', beside('runner-side-two.example-8443')],
    ['c', beside('runner-side')],
    ['b', beside('runner-main')],
    ['a', undefined],
  ])
})

test('a login that shares its folder with that to another service, as earlier ones did, keeps it', () => {
  const { path, known } = openFile()
  const other = { baseUrl: 'https://other.example', token: 'other', workspace: 'main' }
  const before = { baseUrl, token: 'before', workspace: 'main', others: [other] }
  writeFileSync(path, JSON.stringify(before), { mode: 0o600 })
  rememberCredentials(path, { baseUrl, token: 'again' })
  rememberCredentials(path, { baseUrl, token: 'again', workspace: 'main' })
  expect(known()[0]).toEqual({ token: 'again', workspace: 'main', runnerHome: undefined })
})

test('one that was kept before workspaces were named is that of the next login there', () => {
  const { path, known } = openFile()
  rememberCredentials(path, { baseUrl: 'https://other.example', token: 'other', workspace: 'main' })
  rememberCredentials(path, { baseUrl, token: 'old' })
  rememberCredentials(path, { baseUrl, token: 'new', workspace: 'main' })
  expect(known().map(({ token }) => token)).toEqual(['new', 'other'])
})

test('a name that would lead out of the folder names none', () => {
  const { path, known } = openFile()
  rememberCredentials(path, { baseUrl, token: 'one', workspace: 'main' })
  rememberCredentials(path, { baseUrl, token: 'two', workspace: '../x' })
  expect(known()[0]).toMatchObject({ token: 'two', runnerHome: undefined })
})

test('a login of before is named by the service, so that a login to another workspace stays beside it', async () => {
  const { path, known } = openFile()
  rememberCredentials(path, { baseUrl, token: 'dead' })
  rememberCredentials(path, { baseUrl: 'https://other.example', token: 'other' })
  const asked: string[] = []
  await nameCredentials(path, baseUrl, (token) => {
    asked.push(token)
    return Promise.reject(new Error('it ended'))
  })
  expect(known().map(({ workspace }) => workspace)).toEqual([undefined, undefined])
  await nameCredentials(path, baseUrl, (token) => {
    asked.push(token)
    return Promise.resolve('main')
  })
  expect(asked).toEqual(['dead', 'dead'])
  rememberCredentials(path, { baseUrl, token: 'new' })
  rememberCredentials(path, { baseUrl, token: 'new', workspace: 'side' })
  expect(known().map(({ token, workspace }) => [token, workspace])).toEqual([
    ['new', 'side'],
    ['other', undefined],
    ['dead', 'main'],
  ])
})
