import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test as base } from 'vitest'
import { createGuardedFetch } from './guarded-fetch.ts'
import { createPolicy } from './policy.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (request.url === '/moved') response.writeHead(302, { location: '/' })
    if (request.url === '/long') response.write('x'.repeat(2000))
    if (request.url !== '/never') response.end('hello')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : ''
  return { url: `http://127.0.0.1:${port}`, asked }
})

const ask = { method: 'GET', headers: {} }
const allowed = createPolicy({ allowedHosts: '127.0.0.1' })

describe('a guarded fetch', () => {
  test('reaches what is allowed, and tells of a redirect without following it', async ({
    server: { url, asked },
  }) => {
    const fetch = createGuardedFetch({ policy: allowed })
    const body = new URLSearchParams({ a: 'b' })
    const answer = await fetch(`${url}/posted`, { method: 'POST', headers: {}, body })
    expect([answer.status, await answer.text()]).toEqual([200, 'hello'])
    const moved = await fetch(`${url}/moved`, ask)
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/'])
    expect(asked).toEqual(['POST /posted', 'GET /moved'])
  })

  test('asks nobody who is not allowed', async ({ server: { url, asked } }) => {
    const before = asked.length
    const fetch = createGuardedFetch({ policy: createPolicy() })
    await expect(fetch(url, ask)).rejects.toThrow('https://')
    await expect(fetch(url.replace('http:', 'https:'), ask)).rejects.toThrow('public internet')
    expect(asked).toHaveLength(before)
  })

  test('reads no more than it was told to, and waits no longer', async ({ server: { url } }) => {
    const short = createGuardedFetch({ policy: allowed, mostBytes: 1000 })
    await expect(short(`${url}/long`, ask)).rejects.toThrow('longer than 1000 bytes')
    const hasty = createGuardedFetch({ policy: allowed, timeoutMs: 100 })
    await expect(hasty(`${url}/never`, ask)).rejects.toThrow('timeout')
  })
})
