import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { sign } from './sign.ts'
import { testVectors } from './testing/vectors.ts'
import { type WebhookVerificationCode, WebhookVerificationError, verify } from './verify.ts'

const stripe = new Stripe('sk_test_unused')
const secret = 'whsec_c2VjcmV0'
const timestamp = 1_735_689_600
const body = '{"id":"1","type":"mission.created"}'
const header = sign({ secret, timestamp, body })

function codeOf(
  input: Partial<Parameters<typeof verify>[0]>,
): WebhookVerificationCode | 'accepted' {
  try {
    verify({ secret, header, body, now: timestamp, ...input })
    return 'accepted'
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code
    throw error
  }
}

describe('the signature', () => {
  test.each(testVectors)('of $name is the one openssl makes', (vector) => {
    const bytes = Buffer.from(vector.bodyHex, 'hex')
    expect(sign({ ...vector, body: bytes })).toBe(vector.header)
    expect(verify({ ...vector, body: bytes, now: vector.timestamp })).toEqual({
      timestamp: vector.timestamp,
    })
  })

  test('is accepted by Stripe for 500 bodies, and refused by both after one flipped bit', () => {
    for (const [index, bytes] of bodies(500).entries()) {
      const value = JSON.stringify({ id: String(index), text: bytes.toString('latin1') })
      const signed = sign({ secret, timestamp, body: value })
      const judge = (payload: string) =>
        stripe.webhooks.constructEvent(payload, signed, secret, 300, undefined, timestamp * 1000)
      expect(judge(value)).toEqual(JSON.parse(value))
      expect(codeOf({ header: signed, body: value })).toBe('accepted')
      const flipped = flipBit(Buffer.from(value), index)
      expect(codeOf({ header: signed, body: flipped })).toBe('wrong_signature')
      expect(() => judge(flipped.toString('latin1'))).toThrow('signature')
    }
  })

  test.each([
    ['line and paragraph separators', '{"a":"\u2028\u2029"}'],
    ['an emoji', '{"a":"👩‍👩‍👧‍👦"}'],
    ['an escaped lone surrogate', JSON.stringify({ a: '\ud83d' })],
    ['a NUL and a BOM', '{"a":"\\u0000\ufeff"}'],
  ])('of %s is accepted by Stripe', (_, value) => {
    const signed = sign({ secret, timestamp, body: value })
    const at = timestamp * 1000
    expect(stripe.webhooks.constructEvent(value, signed, secret, 300, undefined, at)).toEqual(
      JSON.parse(value),
    )
  })

  test('of text is that of its UTF-8 bytes', () => {
    const value = 'é🚀\u2028'
    expect(sign({ secret, timestamp, body: Buffer.from(value) })).toBe(
      sign({ secret, timestamp, body: value }),
    )
  })

  test.each([1.5, -1, Number.NaN])('is not made for the timestamp %d', (bad) => {
    expect(() => sign({ secret, timestamp: bad, body })).toThrow('whole unix seconds')
  })

  test('is not made with an empty secret', () => {
    expect(() => sign({ secret: '', timestamp, body })).toThrow('secret')
  })
})

describe('a receiver', () => {
  test.each([
    [-301, 'stale_timestamp'],
    [-300, 'accepted'],
    [0, 'accepted'],
    [300, 'accepted'],
    [301, 'stale_timestamp'],
    [Number.NaN, 'stale_timestamp'],
  ])('whose clock is %d s from t answers %s [webhook.sig-freshness]', (distance, code) => {
    expect(codeOf({ now: timestamp + distance })).toBe(code)
  })

  test('takes the tolerance that it is given', () => {
    expect(codeOf({ now: timestamp + 11, toleranceSeconds: 10 })).toBe('stale_timestamp')
    expect(codeOf({ now: timestamp + 10, toleranceSeconds: 10 })).toBe('accepted')
  })

  test('reads the clock of its machine unless told the time', () => {
    const now = Math.floor(Date.now() / 1000)
    const fresh = sign({ secret, timestamp: now, body })
    expect(verify({ secret, header: fresh, body })).toEqual({ timestamp: now })
    expect(() => verify({ secret, header, body })).toThrow('clock')
  })

  const good = header.split('v1=')[1] ?? ''
  test.each<[string, string | null | undefined, WebhookVerificationCode]>([
    ['no header', undefined, 'missing_header'],
    ['a null header', null, 'missing_header'],
    ['an empty header', '', 'missing_header'],
    ['no t', `v1=${good}`, 'malformed_header'],
    ['no v1', `t=${timestamp}`, 'malformed_header'],
    ['only another scheme', `t=${timestamp},v0=${good}`, 'malformed_header'],
    ['two t', `t=${timestamp},${header}`, 'malformed_header'],
    ['two different t', `t=1,${header}`, 'malformed_header'],
    ['an empty t', `t=,v1=${good}`, 'malformed_header'],
    ['a t in hex', `t=0x67748580,v1=${good}`, 'malformed_header'],
    ['a t with a leading zero', `t=0${timestamp},v1=${good}`, 'malformed_header'],
    ['a negative t', `t=-${timestamp},v1=${good}`, 'malformed_header'],
    ['a t with a fraction', `t=${timestamp}.0,v1=${good}`, 'malformed_header'],
    ['a truncated signature', header.slice(0, -2), 'wrong_signature'],
    ['a lengthened signature', `${header}00`, 'wrong_signature'],
    ['an empty signature', `t=${timestamp},v1=`, 'wrong_signature'],
    [
      'a signature of another length in bytes',
      `t=${timestamp},v1=é${good.slice(1)}`,
      'wrong_signature',
    ],
    ['another t under the same signature', `t=${timestamp + 1},v1=${good}`, 'wrong_signature'],
    ['garbage', ',=,;', 'malformed_header'],
  ])('refuses %s', (_, value, code) => {
    expect(codeOf({ header: value })).toBe(code)
  })

  test('refuses another secret, and the decoded part of its own', () => {
    expect(codeOf({ secret: 'whsec_b3RoZXI' })).toBe('wrong_signature')
    expect(codeOf({ secret: 'c2VjcmV0' })).toBe('wrong_signature')
  })

  test('compares signatures in a time that tells nothing of them [webhook.sig-constant-time]', () => {
    const compared: string[][] = []
    const inConstantTime = crypto.timingSafeEqual
    crypto.timingSafeEqual = (one, other) => {
      compared.push([one, other].map((bytes) => Buffer.from(bytes as Uint8Array).toString()))
      return inConstantTime(one, other)
    }
    // so that modules that have imported it by name see the replacement too
    syncBuiltinESMExports()
    try {
      const nearly = [good.replace(/^./, '_'), good.replace(/.$/, '_')]
      for (const wrong of nearly) {
        expect(codeOf({ header: `t=${timestamp},v1=${wrong}` })).toBe('wrong_signature')
      }
      expect(codeOf({})).toBe('accepted')
      expect(compared).toEqual([...nearly, good].map((given) => [given, good]))
    } finally {
      crypto.timingSafeEqual = inConstantTime
      syncBuiltinESMExports()
    }
  })

  test('accepts one right signature among several, wherever it stands', () => {
    const wrong = 'v1='.padEnd(67, '0')
    expect(codeOf({ header: `${header},${wrong}` })).toBe('accepted')
    expect(codeOf({ header: `t=${timestamp},${wrong},v0=x,v1=${good}` })).toBe('accepted')
    expect(codeOf({ header: `${wrong},v1=${good}, t=${timestamp}` })).toBe('accepted')
    expect(codeOf({ header: `t=${timestamp},${wrong},${wrong}` })).toBe('wrong_signature')
  })
})

/** Deterministic bytes of every value, so that a failure repeats. */
function bodies(count: number): Buffer[] {
  let state = 42
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648)
  return Array.from({ length: count }, () =>
    Buffer.from(Array.from({ length: next() % 200 }, () => (next() >> 8) % 256)),
  )
}

function flipBit(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = at % copy.length
  copy[index] = (copy[index] ?? 0) ^ 1
  return copy
}
