import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { connectStdio } from '../conformance/stdio-clients.ts'

const program = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'))

type Tools = Awaited<ReturnType<typeof connectStdio>>

export interface Remote extends AsyncDisposable {
  /** There once a person has let it in. */
  tools: Promise<Tools>
  /** Where it sends the person for the first time, for the second, and so on. */
  sentTo: (time: number) => Promise<string>
}

/** mcp-remote as an agent starts it, on a machine whose browser only writes down what it is to open. */
export async function startRemote(endpoint: string): Promise<Remote> {
  await using opened = new AsyncDisposableStack()
  const { path: home } = opened.use(await mkdtempDisposable(join(tmpdir(), 'svc-mcp-remote-')))
  const bin = join(home, 'bin')
  const written = join(home, 'written')
  mkdirSync(bin)
  // the one is a command of macOS, the other is what BROWSER says
  for (const name of ['open', 'browser']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$1" >> '${written}'\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const tools = connectStdio('legacy', {
    command: process.execPath,
    args: [program, endpoint, '--auth-timeout', '300'],
    env: {
      HOME: home,
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      BROWSER: join(bin, 'browser'),
    },
  })
  opened.defer(async () => (await tools)[Symbol.asyncDispose]())
  const addresses = () => (existsSync(written) ? readFileSync(written, 'utf8').split('\n') : [])
  const kept = opened.move()
  return {
    tools,
    // each line is whole once another one has begun
    sentTo: (time) =>
      vi.waitUntil(() => addresses()[time] !== undefined && addresses()[time - 1], {
        timeout: 120_000,
      }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
