import { Agent } from 'node:http'
import { createServer } from 'node:net'
import { listen } from '@svc/testing/listen'
import { describe, expect, test } from 'vitest'
import { send } from './fuzz/send.ts'

/** A server that ends so many connections without an answer before it gives one. */
async function serve(drops: number) {
  let met = 0
  const server = createServer((socket) => {
    met += 1
    socket.once('data', () => {
      if (met <= drops) return socket.resetAndDestroy()
      return socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    })
  })
  return listen(server)
}

describe('a request that is sent', () => {
  test.each([
    [0, 204],
    [1, 204],
    [2, 'drops'],
  ] as const)('to a server that drops %i connections', async (drops, answer) => {
    await using server = await serve(drops)
    const target = { agent: new Agent(), url: server.url }
    const got = await send(target, { method: 'GET', path: '/', headers: [], body: '' })
    expect(typeof got === 'object' ? got.status : got).toBe(answer)
  })

  test('with a header that is none is not sent', async () => {
    const target = { agent: new Agent(), url: 'http://127.0.0.1:1' }
    const headers = ['a header', 'x']
    expect(await send(target, { method: 'GET', path: '/', headers, body: '' })).toBeUndefined()
  })
})
