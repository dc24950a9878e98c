import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary.ts'
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
  ])('is masked however the stream is cut: %s', (_, written) => {
    const text = `before ${written} after`
    const bytes = Buffer.from(text)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const shown = masked([bytes.subarray(0, cut), bytes.subarray(cut)])
      expect(shown).not.toContain(written.slice(1, -1))
      expect(shown).toMatch(/^before .*\[masked\].* after$/)
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

  test('needs eight characters and a telling name', () => {
    expect(maskWholeText('short /home/alice', spellings)).toBe('short /home/alice')
  })
})

describe('capped output', () => {
  test('keeps the beginning and the end and names the gap', () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'output.log')
    const output = createCappedOutput(file, { headBytes: 10, tailBytes: 6 })
    for (const text of ['01234', '56789ab', 'cdefghij', 'k']) output.write(Buffer.from(text))
    output.finish()
    expect(output.head().toString()).toBe('0123456789')
    expect(output.tail()).toEqual({ bytes: Buffer.from('fghijk'), skipped: 5 })
    expect(output.last(4)).toBe('hijk')
    expect(readFileSync(file, 'utf8')).toBe('0123456789\n[5 bytes are not kept]\nfghijk')
  })

  test('skips nothing while all of it fits', () => {
    using folder = temporaryFolder()
    const output = createCappedOutput(join(folder.path, 'log'), { headBytes: 4, tailBytes: 4 })
    output.write(Buffer.from('abcdef'))
    expect(output.tail()).toEqual({ bytes: Buffer.from('ef'), skipped: 0 })
    expect(output.last(100)).toBe('abcdef')
  })
})
