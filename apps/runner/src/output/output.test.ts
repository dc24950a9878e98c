import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '@svc/testing/temporary'
import { createCappedOutput } from './capped-output.ts'
import { createMasker, maskWholeText } from './mask.ts'
import { secretSpellings } from './secrets.ts'

const secret = 'S3cr3t+/"value"\\end'
const spellings = secretSpellings({ MY_API_KEY: secret, HOME: '/home/alice', SHORT_TOKEN: 'short' })

function masked(chunks: readonly Uint8Array[]): string {
  const masker = createMasker(spellings)
  return Buffer.concat([...chunks.map((chunk) => masker.push(chunk)), masker.end()]).toString(
    'utf8',
  )
}

describe('a secret in the output', () => {
  test.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in base64', Buffer.from(secret).toString('base64').slice(0, -2)],
    ['in base64 behind one byte', Buffer.from(`x${secret}`).toString('base64').slice(2, -2)],
    ['in base64 behind two bytes', Buffer.from(`xy${secret}`).toString('base64').slice(3)],
    ['as a token of ours', `svcut_${'Ab3'.repeat(17)}`],
    ['as a session key', `sess_${'aB-_'.repeat(11)}`],
    ['as a key of Anthropic', `sk-ant-api03-${'aB-_9'.repeat(18)}`],
    ['as a token of GitHub', `ghp_${'aB9'.repeat(12)}`],
    ['as a fine-grained token of GitHub', `github_pat_${'aB_9'.repeat(20)}`],
    ['as a token of Slack', `xoxb-${'123456789012-'.repeat(2)}aBcDeFgHiJkL`],
    ['as the id of an AWS key', 'AKIAIOSFODNN7EXAMPLE'],
    ['as the secret of an AWS key', `aws_secret_access_key = ${'aB9/+'.repeat(8)}`],
    [
      'as a private key',
      `-----BEGIN RSA PRIVATE KEY-----\n${'aB9/+\n'.repeat(20)}-----END RSA PRIVATE KEY-----`,
    ],
    [
      'as a private key in JSON',
      `-----BEGIN PRIVATE KEY-----\\n${'aB9/+\\n'.repeat(20)}-----END PRIVATE KEY-----`,
    ],
  ])('is masked however the stream is cut: %s', (_, written) => {
    const text = `before ${written} after`
    const bytes = Buffer.from(text)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const shown = masked([bytes.subarray(0, cut), bytes.subarray(cut)])
      expect(shown).not.toContain(written.slice(1, -1))
      expect(shown).toMatch(/^before .*\[masked\].* after$/s)
    }
    expect(masked([...bytes].map((byte) => Buffer.from([byte])))).toContain('[masked]')
  })

  test('is masked at the very end', () => {
    expect(masked([Buffer.from(`x${secret.slice(0, 9)}`), Buffer.from(secret.slice(9))])).toBe(
      'x[masked]',
    )
  })

  test('does not keep other text back or change it', () => {
    const masker = createMasker(spellings)
    expect(masker.push(Buffer.from('done: all is well\n')).toString()).toBe('done: all is well\n')
    const plain = fc.uint8Array({ maxLength: 60 })
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 6 }), (chunks) => {
        const all = createMasker([])
        const shown = Buffer.concat([...chunks.map((chunk) => all.push(chunk)), all.end()])
        expect(shown.equals(Buffer.concat(chunks))).toBe(true)
      }),
    )
  })

  test('needs eight characters and a name that says that it is one', () => {
    expect(maskWholeText('short /home/alice', spellings)).toBe('short /home/alice')
  })

  test.each([
    'GITHUB_PAT',
    'DB_PASS',
    'STRIPE_KEY',
    'SIGNING_KEY_BASE64',
    'GPG_PASSPHRASE',
    'MYSQL_PWD',
    'REDIS_URL',
    'SENTRY_DSN',
    'SLACK_WEBHOOK_URL',
    'NPM_CONFIG__AUTH',
    'ANTHROPIC_API_KEY',
    'GITHUBTOKEN',
  ])('is the value of %s', (name) => {
    const all = secretSpellings({ [name]: 'example-value' })
    expect(maskWholeText('it is example-value.', all)).toBe('it is [masked].')
  })

  test.each(['PWD', 'OLDPWD', 'HOME', 'KEYBOARD', 'COMPASS', 'PATH', 'SSH_AUTH_SOCK', 'MONKEY'])(
    'is not the value of %s',
    (name) => {
      expect(secretSpellings({ [name]: '/home/alice/web' })).toEqual([])
    },
  )

  test('is the user part of an address, whichever variable holds it', () => {
    const all = secretSpellings({
      UPSTREAM: 'https://alice:p%40ssw0rd-1@example.com/app',
      MIRROR: 'https://0123456789abcdef@example.com/1',
    })
    expect(maskWholeText('p%40ssw0rd-1, p@ssw0rd-1 and 0123456789abcdef', all)).toBe(
      '[masked], [masked] and [masked]',
    )
  })
})

describe('a long secret in the output', () => {
  const long = `svcrt_${'0aB9'.repeat(29)}xyz`
  const inBase64 = Buffer.from(long).toString('base64')
  const linesOf = (text: string, width: number) =>
    text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []

  test.each([
    ['in lines of a terminal', linesOf(long, 80)],
    ['in base64, in its lines', linesOf(inBase64, 76)],
    ['in base64 of openssl', linesOf(inBase64, 64)],
    ['by how it begins', [long.slice(0, 46)]],
  ])('is masked %s', (_, lines) => {
    const masked = maskWholeText(lines.join('\n'), secretSpellings({ A_TOKEN: long }))
    const longLines = lines.filter(({ length }) => length >= 20)
    for (const line of longLines) expect(masked).not.toContain(line)
  })
})

describe('an address in the output', () => {
  test.each([
    ['https://alice:pw@example.com/x', 'https://[masked]@example.com/x'],
    ['https://alice:p@w@example.com/x', 'https://[masked]@example.com/x'],
    ['redis://:pw@cache:6379', 'redis://[masked]@cache:6379'],
    ['ssh://git@example.com/x.git', 'ssh://git@example.com/x.git'],
    ['https://example.com/x?to=a@b.com', 'https://example.com/x?to=a@b.com'],
    ['https://example.com/@alice', 'https://example.com/@alice'],
  ])('%s is shown as %s, however the stream is cut', (written, shown) => {
    for (let cut = 0; cut <= written.length; cut += 1) {
      const chunks = [written.slice(0, cut), written.slice(cut)]
      expect(masked(chunks.map((chunk) => Buffer.from(chunk)))).toBe(shown)
    }
  })
})

describe('a private key in the output', () => {
  const begin = '-----BEGIN OPENSSH PRIVATE KEY-----\n'

  test('ends where it ends', () => {
    const key = `${begin}aB9/+=\n-----END OPENSSH PRIVATE KEY-----`
    expect(masked([Buffer.from(`${key}\nall is well\n${key}`)])).toBe(
      '[masked]\nall is well\n[masked]',
    )
  })

  test('that was cut is masked as far as it goes, and holds the rest back no longer', () => {
    const masker = createMasker([])
    masker.push(Buffer.from(begin))
    const shown = Array.from({ length: 200 }, () =>
      masker.push(Buffer.from(`${'aB9/'.repeat(16)}\n`)).toString(),
    ).join('')
    expect(shown).toMatch(/^\[masked\]/)
    expect(shown.length).toBeGreaterThan(1_000)
  })
})

describe('capped output', () => {
  test('keeps the beginning and the end and names the gap', () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'output.log')
    const output = createCappedOutput(file, { headBytes: 10, tailBytes: 6 })
    for (const text of ['01234', '56789ab', 'cdefghij', 'k']) output.write(Buffer.from(text))
    output.finish()
    expect(output.headLength()).toBe(10)
    expect(output.head(0, 100)).toEqual({ bytes: Buffer.from('0123456789'), skipped: 0 })
    expect(output.tail()).toEqual({ bytes: Buffer.from('fghijk'), skipped: 5 })
    expect(output.last(4)).toBe('hijk')
    expect(readFileSync(file, 'utf8')).toBe('0123456789\n[5 bytes are not kept]\nfghijk')
  })

  test('has its beginning on the disk, and as much as is not there in memory', () => {
    using folder = temporaryFolder()
    const limits = { headBytes: 100, tailBytes: 4 }
    const write = (file: string) => {
      const output = createCappedOutput(join(folder.path, file), limits, 6)
      for (const text of ['0123', '4567', '89ab']) output.write(Buffer.from(text))
      return output
    }
    const kept = write('log')
    expect(kept.head(0, 5)).toEqual({ bytes: Buffer.from('01234'), skipped: 0 })
    expect(kept.head(5, 100)).toEqual({ bytes: Buffer.from('56789ab'), skipped: 0 })
    expect(kept.head(9, 2)).toEqual({ bytes: Buffer.from('9a'), skipped: 0 })
    const full = write('no folder/log')
    expect(full.head(0, 4)).toEqual({ bytes: Buffer.from('6789'), skipped: 6 })
    expect(full.head(10, 4)).toEqual({ bytes: Buffer.from('ab'), skipped: 0 })
    expect(full.last(4)).toBe('89ab')
  })

  test('skips nothing while all of it fits', () => {
    using folder = temporaryFolder()
    const output = createCappedOutput(join(folder.path, 'log'), { headBytes: 4, tailBytes: 4 })
    output.write(Buffer.from('abcdef'))
    expect(output.tail()).toEqual({ bytes: Buffer.from('ef'), skipped: 0 })
    expect(output.last(100)).toBe('abcdef')
  })
})
