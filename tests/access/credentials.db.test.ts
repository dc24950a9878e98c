import { signedIn } from '@svc/domain/testing/signed-in'
import { test as base } from '@svc/domain/testing/world'
import { describe, expect } from 'vitest'
import { serveAll } from '../serve-all.ts'
import { bearer } from './ask.ts'

const test = base.extend('place', { scope: 'file' }, async ({ world, database }, { onCleanup }) => {
  const api = await serveAll(database.connectionString)
  onCleanup(() => api[Symbol.asyncDispose]())
  const { url } = api
  const { userId, workspaceId } = await world.alice.actor()
  const browser = await signedIn(world.domain, { userId, baseUrl: url, workspace: workspaceId })
  const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const answer = await fetch(url + path, { method, headers, redirect: 'manual' })
    return [answer.status, answer.headers.get('location')?.split('?')[0] ?? null]
  }
  return { browser, token: world.alice.token, ask }
})

describe('a credential', () => {
  test('of a browser is good for the API and for pages, and never where agents call', async ({
    place: { browser, ask },
  }) => {
    expect(await ask('/api/me', browser)).toEqual([200, null])
    expect(await ask('/account', browser)).toEqual([200, null])
    expect(await ask('/mcp', browser, 'POST')).toEqual([401, null])
    expect(await ask('/mcp', browser)).toEqual([401, null])
  })

  test('that is a token is never good for a page', async ({ place: { token, ask } }) => {
    const headers = bearer(token)
    expect(await ask('/api/me', headers)).toEqual([200, null])
    for (const path of ['/account', '/openid']) {
      expect(await ask(path, headers)).toEqual([303, '/signin'])
    }
    expect(await ask('/signout', headers, 'POST')).toEqual([303, '/signin'])
  })

  test('that is a bad token is not made good by a cookie that is sent with it', async ({
    place: { browser, ask },
  }) => {
    for (const authorization of ['Bearer x', 'Basic eDp4', '']) {
      expect(await ask('/api/me', { ...browser, authorization })).toEqual([401, null])
    }
  })

  test('in an address is none', async ({ place: { browser, token, ask } }) => {
    const [name = '', secret = ''] = (browser['cookie'] ?? '').split('=')
    for (const [key, value] of [
      ['access_token', token],
      ['token', token],
      ['authorization', `Bearer ${token}`],
      [name, secret],
    ]) {
      const query = `?${new URLSearchParams({ [key ?? '']: value ?? '' }).toString()}`
      expect(await ask(`/api/user-tokens${query}`, {})).toEqual([401, null])
      expect(await ask(`/mcp${query}`, {}, 'POST')).toEqual([401, null])
      expect(await ask(`/account${query}`, {})).toEqual([303, '/signin'])
    }
  })
})
