import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Home, openHome } from '@svc/runner/files/home'
import { type Listening, listen } from '@svc/testing/listen'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runnerToken } from './runner-token.ts'

let home: Home
let server: Listening
let made: number
/** The tokens that the service accepts, and whose they are where. */
let good: Map<string, { person: string; workspace: string; role?: string }>
let mayMint: boolean
/** Under which it was asked for a token. */
let askedUnder: unknown
const key = 'one-start'
const ada = { person: 'ada', workspace: 'acme' }
const adaInAcme = {
  userId: 'ada',
  email: 'ada@acme.example',
  workspaceId: 'acme',
  workspace: 'acme',
}

beforeEach(async () => {
  home = openHome(mkdtempSync(join(tmpdir(), 'svc-runner-token-')))
  made = 0
  good = new Map([['own', ada]])
  mayMint = true
  const answering = createServer((incoming, outgoing) => {
    const token = incoming.headers.authorization?.replace('Bearer ', '') ?? ''
    const owner = good.get(token)
    const isMint = incoming.method === 'POST'
    if (isMint) askedUnder = incoming.headers['idempotency-key']
    const refusal = !owner ? 'unauthenticated' : isMint && !mayMint ? 'forbidden' : undefined
    if (owner && isMint && mayMint) good.set(`made-${(made += 1)}`, owner)
    const me = {
      user: { id: owner?.person, email: `${owner?.person}@acme.example` },
      workspace: { id: owner?.workspace, slug: owner?.workspace },
      role: owner?.role ?? 'member',
    }
    const answer =
      refusal === undefined
        ? { ...me, token: isMint ? `made-${made}` : null }
        : { error: { code: refusal, message: 'No.', requestId: 'r' } }
    outgoing.writeHead(refusal === undefined ? 200 : 403, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(answer))
  })
  server = await listen(answering)
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(home.folder, { recursive: true })
})

async function tokenFor(isFromEnvironment: boolean): Promise<string> {
  return (await start(isFromEnvironment)).token
}

async function start(isFromEnvironment = false) {
  const { token, person, next } = await runnerToken(
    home,
    { baseUrl: server.url, token: 'own', source: 'test', isFromEnvironment },
    key,
  )
  return { token, workspace: person?.workspace, ...(next !== undefined && { next }) }
}

describe('the token of a runner', () => {
  test('is the one of the environment as it is', async () => {
    expect(await start(true)).toEqual({ token: 'own', workspace: 'acme' })
    expect(made).toBe(0)
    good.delete('own')
    expect(await start(true)).toEqual({ token: 'own', workspace: undefined })
  })

  test("is made once from a person's own, and kept for its owner only", async () => {
    expect([await tokenFor(false), await tokenFor(false)]).toEqual(['made-1', 'made-1'])
    expect(askedUnder).toBe(key)
    const path = join(home.folder, 'token.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ token: 'made-1' })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('is made anew when the kept one was revoked', async () => {
    await tokenFor(false)
    good.delete('made-1')
    expect(await tokenFor(false)).toBe('made-2')
  })

  test("is the person's own when that one may make none", async () => {
    mayMint = false
    expect(await tokenFor(false)).toBe('own')
  })

  test.each([
    ['to another workspace', { person: 'ada', workspace: 'beta' }],
    ['as another person', { person: 'bob', workspace: 'acme' }],
  ])('is made anew when somebody has signed in %s meanwhile', async (_, owner) => {
    expect(await start()).toEqual({ token: 'made-1', workspace: 'acme' })
    good.set('own', owner)
    expect(await start()).toEqual({ token: 'made-2', workspace: owner.workspace })
    expect(await tokenFor(false)).toBe('made-2')
  })

  const beginRun = () => {
    const folder = join(home.runs, '0198c2a4-0000-7000-8000-000000000001.1')
    mkdirSync(folder)
    return folder
  }

  test('stays the kept one until the runs that were begun with it are over', async () => {
    await start()
    good.set('own', { person: 'ada', workspace: 'beta' })
    const folder = beginRun()
    expect(await start()).toEqual({ token: 'made-1', workspace: 'acme', next: 'beta' })
    writeFileSync(
      join(folder, 'journal.ndjson'),
      `${JSON.stringify({ step: 'cleaned', at: '2026-11-01T10:00:00.000Z' })}\n`,
    )
    expect(await start()).toEqual({ token: 'made-2', workspace: 'beta' })
  })

  test.each([
    ['another service', () => ({ service: 'https://other.example' })],
    ['another person', () => ({ service: server.url, person: { ...adaInAcme, userId: 'bob' } })],
    [
      'a third workspace',
      () => ({ service: server.url, person: { ...adaInAcme, workspaceId: 'c' } }),
    ],
  ])('is made anew where the runs that are not over are of %s', async (_, claimant) => {
    await start()
    writeFileSync(join(beginRun(), 'claimant.json'), JSON.stringify(claimant()))
    good.set('own', { person: 'ada', workspace: 'beta' })
    expect(await start()).toEqual({ token: 'made-2', workspace: 'beta' })
  })

  test('is made anew where nothing can be said of these runs any more', async () => {
    await start()
    beginRun()
    good.set('own', { person: 'ada', workspace: 'beta' })
    good.set('made-1', { ...ada, role: 'viewer' })
    expect(await start()).toEqual({ token: 'made-2', workspace: 'beta' })
  })

  test('stays the kept one while the sign-in it was made from has ended', async () => {
    await start()
    good.delete('own')
    expect(await start()).toEqual({ token: 'made-1', workspace: 'acme' })
  })
})
