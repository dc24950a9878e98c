import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
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
/** Tokens that the service accepts. */
let good: string[]
let mayMint: boolean
/** Under which it was asked for a token. */
let askedUnder: unknown
const key = 'one-start'

beforeEach(async () => {
  home = openHome(mkdtempSync(join(tmpdir(), 'svc-runner-token-')))
  made = 0
  good = ['own']
  mayMint = true
  const answering = createServer((incoming, outgoing) => {
    const token = incoming.headers.authorization?.replace('Bearer ', '') ?? ''
    const refusal = !good.includes(token) ? 'unauthenticated' : !mayMint ? 'forbidden' : undefined
    const isMint = incoming.method === 'POST'
    if (isMint) askedUnder = incoming.headers['idempotency-key']
    if (refusal === undefined && isMint) good.push(`made-${(made += 1)}`)
    const answer =
      refusal === undefined
        ? { token: `made-${made}` }
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

function tokenFor(isFromEnvironment: boolean): Promise<string> {
  return runnerToken(
    home,
    { baseUrl: server.url, token: 'own', source: 'test', isFromEnvironment },
    key,
  )
}

describe('the token of a runner', () => {
  test('is the one of the environment as it is', async () => {
    expect(await tokenFor(true)).toBe('own')
    expect(made).toBe(0)
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
    good = ['own']
    expect(await tokenFor(false)).toBe('made-2')
  })

  test("is the person's own when that one may make none", async () => {
    mayMint = false
    expect(await tokenFor(false)).toBe('own')
  })
})
