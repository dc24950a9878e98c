import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openPlaceOn } from '@svc/api/testing/serve-api'
import type { WebApp } from '@svc/api/web-app'
import { enrol } from '@svc/domain/testing/enrol'
import { signedIn } from '@svc/domain/testing/signed-in'
import { test as base } from '@svc/testing/database'
import { describe, expect } from 'vitest'
import { builtWebApp } from './built.ts'

const test = base.extend('place', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const folder = await builtWebApp()
  let web: WebApp = { state: 'built', folder }
  const place = await openPlaceOn(database.connectionString, {}, { webApp: () => web })
  onCleanup(() => place[Symbol.asyncDispose]())
  const { world, baseUrl } = place
  const { userId } = await world.alice.actor()
  const { cookie = '' } = await signedIn(world.domain, { userId, baseUrl })
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(baseUrl + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } })
  return {
    world,
    folder,
    baseUrl,
    get,
    getSignedIn: (path: string) => get(path, { cookie }),
    /** Another state of the app, until the answer is there. */
    async whileIt<T>(other: WebApp, work: () => Promise<T>): Promise<T> {
      const before = web
      web = other
      return work().finally(() => (web = before))
    },
  }
})

describe('the document of the web app', () => {
  test('is for whoever is signed in: others sign in first, and come back', async ({ place }) => {
    for (const path of ['/', '/w/acme', '/w/acme/m/web:12?o=k7qd']) {
      const answer = await place.get(path)
      expect(answer.status).toBe(303)
      const target = new URL(answer.headers.get('location') ?? '', place.baseUrl)
      expect([target.pathname, target.searchParams.get('next')]).toEqual(['/signin', path])
    }
  })

  test('is at every address below a workspace of theirs, in no cache, with its policy', async ({
    place,
  }) => {
    const leading = await place.getSignedIn('/')
    const [own] = (await place.world.alice.call('getMe', {})).workspaces
    expect(leading.headers.get('location')).toBe(`/w/${own?.slug}`)
    for (const path of [`/w/${own?.slug}`, `/w/${own?.slug}/m/web:12`]) {
      const answer = await place.getSignedIn(path)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe(readFileSync(join(place.folder, 'index.html'), 'utf8'))
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types svc',
      ])
    }
  })

  test('is not shown for a workspace of others', async ({ place }) => {
    const foreign = (await place.world.carla.call('getMe', {})).workspace.slug
    for (const slug of [foreign, 'no-such-workspace']) {
      const answer = await place.getSignedIn(`/w/${slug}`)
      expect(answer.status).toBe(404)
      expect(await answer.text()).toContain('Not here, or not yours')
    }
  })

  test('is a page that reloads itself until the app is built', async ({ place }) => {
    const { slug } = (await place.world.alice.call('getMe', {})).workspace
    const answer = await place.whileIt({ state: 'building' }, () => place.getSignedIn(`/w/${slug}`))
    expect(answer.status).toBe(503)
    expect(answer.headers.get('refresh')).toBe('1')
    const absent = { state: 'absent', reason: 'Somebody has to build it.' } as const
    const without = await place.whileIt(absent, () => place.getSignedIn(`/w/${slug}`))
    expect(without.headers.get('refresh')).toBeNull()
    expect(await without.text()).toContain(absent.reason)
  })
})

test('whoever is a member of no workspace is told how they get into one', async ({ place }) => {
  const { world, baseUrl, get } = place
  const { userId } = await enrol(world.domain, { workspace: 'here', name: 'lena', role: 'member' })
  await world.alice.call('removeMember', { id: userId })
  const { cookie = '' } = await signedIn(world.domain, { userId, baseUrl })
  const answer = await get('/', { cookie })
  expect(answer.status).toBe(200)
  const text = await answer.text()
  for (const part of ['svc invite lena@example.com', '--email lena@example.com', 'href="/"']) {
    expect(text).toContain(part)
  }
})

describe('a built file', () => {
  /** As it travels, which `fetch` hides. */
  function fetchBytes(url: string, encodings: string) {
    const { promise, resolve, reject } = Promise.withResolvers<{
      encoding: string | undefined
      cache: string | undefined
      bytes: Buffer
    }>()
    request(url, { headers: { 'accept-encoding': encodings } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const { 'content-encoding': encoding, 'cache-control': cache } = answer.headers
        resolve({ encoding, cache, bytes: Buffer.concat(parts) })
      })
    })
      .once('error', reject)
      .end()
    return promise
  }

  const decoders = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    none: (bytes: Buffer) => bytes,
  } as const

  test('is kept for good, and compressed as its reader takes it', async ({ place }) => {
    const names = readdirSync(join(place.folder, 'assets'))
    const name = names.find((one) => one.endsWith('.js')) ?? ''
    const plain = readFileSync(join(place.folder, 'assets', name))
    const ways = [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', 'none'],
    ] as const
    for (const [asked, expected] of ways) {
      const answer = await fetchBytes(`${place.baseUrl}/assets/${name}`, asked)
      expect([asked, answer.encoding ?? 'none']).toEqual([asked, expected])
      expect(decoders[expected](answer.bytes).equals(plain)).toBe(true)
      expect(answer.cache).toBe('public, max-age=31536000, immutable')
    }
  })

  test('is one of those that were built, and nothing else of the disk', async ({ place }) => {
    const outside = ['..%2Findex.html', 'none.js', '%2e%2e%2findex.html', '.js', 'x%00.js']
    for (const name of outside) expect((await place.get(`/assets/${name}`)).status).toBe(404)
  })
})
