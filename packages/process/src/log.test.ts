import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createLog, openLogFile } from './log.ts'
import { redactCredentials } from './redact-credentials.ts'

function capture() {
  const lines: string[] = []
  const log = createLog({ name: 'test', to: { write: (line: string) => void lines.push(line) } })
  return { log, lines }
}

describe('the log', () => {
  test('leaves words alone', () => {
    expect(redactCredentials('send a Bearer token')).toBe('send a Bearer token')
  })

  test('writes one JSON line', () => {
    const { log, lines } = capture()
    log.info({ port: 1 }, 'listening')
    expect(JSON.parse(lines.join(''))).toMatchObject({ name: 'test', port: 1, msg: 'listening' })
  })

  test('hides credentials wherever they stand', () => {
    const { log, lines } = capture()
    const secret = 'A1b2C3d4E5f6G7h8'
    log.warn(
      {
        headers: { authorization: secret },
        err: new Error(`Bearer ${secret}x`),
        url: `postgres://svc:${secret}@localhost/db`,
        nested: [
          {
            text: `svcut_${secret} svcoa_${secret} svcrt_${secret} whsec_${secret} sess_${secret}`,
          },
        ],
      },
      `sent with Bearer ${secret}`,
    )
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('')).toContain('svcut_[redacted]')
  })

  test('stays JSON after hiding', () => {
    const { log, lines } = capture()
    log.info({ header: 'Bearer abc.def-ghi.jkl', text: 'a "svcut_A1b2C3d4E5" b' }, 'x')
    expect(() => void JSON.parse(lines.join(''))).not.toThrow()
  })

  test.skipIf(!existsSync('/dev/full'))('disturbs nobody when its disk is full', () => {
    const log = createLog({ name: 'test', to: openLogFile('/dev/full') })
    expect(() => {
      for (let line = 1; line <= 3; line++) log.info({ line }, 'lost')
    }).not.toThrow()
  })
})
