import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const main = fileURLToPath(new URL('../soak/main.ts', import.meta.url))

test.for([
  ['crash', [], /points/],
  ['races', ['--rounds', '100'], /round 1 of/],
] as const)(
  'the soak test %s that is interrupted prints the figures so far, and leaves nothing behind',
  async ([name, options, begun]) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-interrupted-soak-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const soak = spawn(process.execPath, [main, name, ...options], {
      env: { PATH: process.env['PATH'], TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = Promise.all([text(soak.stdout), once(soak, 'exit')])
    let printed = ''
    soak.stderr.on('data', (part: Buffer) => {
      const wasBegun = begun.test(printed)
      printed += part.toString()
      // Ctrl-C comes from the terminal and once more from npm
      if (!wasBegun && begun.test(printed)) for (const _ of [1, 2]) soak.kill('SIGINT')
    })
    const [figures, [code]] = await ended
    expect(code).toBe(130)
    expect(figures).toMatch(/^operations +\d+/m)
    expect(figures).toMatch(/^interrupted by +SIGINT$/m)
    expect(readdirSync(folder)).toEqual([])
  },
)
