import { createServer } from 'node:http'
import { createClient } from '@svc/client/client'
import { listen } from '@svc/testing/listen'
import { expect, test } from 'vitest'
import type { Cli } from './cli.ts'
import { onceReached } from './once-reached.ts'

test('what answers in the place of the service is not waited for', async () => {
  const answering = createServer((_, answer) => void answer.writeHead(404).end('Not here.'))
  await using server = await listen(answering)
  const client = createClient({ baseUrl: server.url, token: 'own' })
  const cli: Cli = {
    env: {},
    stdout: process.stdout,
    stderr: process.stderr,
    signal: new AbortController().signal,
    ask: undefined,
    main: '/apps/cli/src/main.ts',
    repositoryRoot: '/',
    settings: {},
  }
  await expect(onceReached(cli, false, () => client.call('getMe', {}))).rejects.toThrow(
    'check its base URL',
  )
})
