import { randomUUID } from 'node:crypto'
import { createBrowserClient } from '@svc/client/browser'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type FeedServer, serveFeed } from '../testing/feed-server.ts'
import { followFeed } from './follow-feed.ts'
import type { News } from './news.ts'

/** Tabs of one browser, each with what it has heard. */
function openBrowser({ baseUrl }: FeedServer, hasLocks = true) {
  const name = `feed of ${randomUUID()}`
  return {
    openTab() {
      const closing = new AbortController()
      const close = () => closing.abort()
      onTestFinished(close)
      const heard: News[] = []
      let onConnection: (state: 'open' | 'closed') => void = () => undefined
      const client = createBrowserClient({
        baseUrl,
        workspace: 'acme',
        retry: { attempts: 1, firstMs: 1, mostMs: 2 },
        onFeed: (state) => onConnection(state),
      })
      const following = followFeed({
        name,
        client,
        locks: hasLocks ? navigator.locks : undefined,
        openChannel: (channel) => new BroadcastChannel(channel),
        signal: closing.signal,
        hear: (news) => heard.push(news),
      })
      onConnection = following.onConnection
      const types = () => heard.map(({ type }) => type)
      return {
        close,
        heard,
        isLeading: following.isLeading.get,
        types,
        cursors: () => heard.flatMap((news) => (news.type === 'change' ? [news.cursor] : [])),
        hears: (type: News['type']) => expect.poll(types).toContain(type),
      }
    },
  }
}

describe('the tabs of a browser', () => {
  test('share one feed, whichever of them follows it', async () => {
    const server = await serveFeed()
    const browser = openBrowser(server)
    const first = browser.openTab()
    await first.hears('start')
    const second = browser.openTab()
    await second.hears('start')
    server.send('1.1')
    await expect.poll(second.cursors).toEqual(['1.1'])
    expect(first.cursors()).toEqual(['1.1'])
    expect(server.connections).toHaveLength(1)
    expect([first.isLeading(), second.isLeading()]).toEqual([true, false])
  })

  test('know the version of the service, whichever of them was told it', async () => {
    const server = await serveFeed()
    const browser = openBrowser(server)
    const [first, second] = [browser.openTab(), browser.openTab()]
    for (const tab of [first, second]) {
      await tab.hears('start')
      expect(tab.heard).toContainEqual({ type: 'start', cursor: '1.0', version: '0.0.0' })
    }
    const third = browser.openTab()
    await third.hears('start')
    expect(third.heard).toContainEqual({ type: 'start', cursor: '1.0', version: '0.0.0' })
  })

  test('follow a feed each where the browser has no locks for them to agree by', async () => {
    const server = await serveFeed()
    const browser = openBrowser(server, false)
    const tabs = [browser.openTab(), browser.openTab()]
    for (const tab of tabs) await tab.hears('start')
    expect(server.connections).toHaveLength(2)
    server.send('1.1')
    await expect.poll(tabs[1]?.cursors ?? (() => [])).toEqual(['1.1'])
    expect(tabs[0]?.cursors()).toEqual([])
  })

  test('go on from the last cursor when the one that follows is closed', async () => {
    const server = await serveFeed()
    const browser = openBrowser(server)
    const first = browser.openTab()
    await first.hears('start')
    const second = browser.openTab()
    await second.hears('start')
    server.send('1.7')
    await expect.poll(second.cursors).toEqual(['1.7'])
    first.close()
    await expect.poll(() => server.connections.length).toBe(2)
    expect(second.isLeading()).toBe(true)
    expect(server.connections[1]?.from).toBe('1.7')
    await expect.poll(() => second.types().filter((type) => type === 'start').length).toBe(2)
    server.send('1.8')
    await expect.poll(second.cursors).toEqual(['1.7', '1.8'])
    expect(second.types()).not.toContain('reset')
  })

  test('go on from the cursor that a connection began with', async () => {
    const server = await serveFeed()
    const tab = openBrowser(server).openTab()
    await tab.hears('start')
    server.connections[0]?.response.destroy()
    await expect.poll(tab.types).toEqual(['start', 'away', 'start'])
    expect(server.connections[1]?.from).toBe('1.0')
  })

  test('hear that the sign-in has ended', async () => {
    const server = await serveFeed()
    const browser = openBrowser(server)
    const [first, second] = [browser.openTab(), browser.openTab()]
    await expect.poll(() => server.connections.length).toBe(1)
    server.refuse(401, 'unauthenticated')
    await first.hears('signed-out')
    await second.hears('signed-out')
  })
})
