import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@svc/client/client'
import { expect, test } from 'vitest'
import type { Cli } from './cli.ts'
import { onceReached } from './once-reached.ts'

test('what answers in the place of the service is not waited for', async () => {
  const server = createServer((_, answer) => void answer.writeHead(404).end('Not here.'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // what a server that listens on a port has
  const { port } = server.address() as AddressInfo
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'own' })
  const cli: Cli = {
    env: {},
    stdout: process.stdout,
    stderr: process.stderr,
    signal: new AbortController().signal,
    ask: undefined,
    repositoryRoot: '/',
    settings: {},
  }
  await expect(onceReached(cli, false, () => client.call('getMe', {}))).rejects.toThrow(
    'check its base URL',
  )
  server.close()
})
