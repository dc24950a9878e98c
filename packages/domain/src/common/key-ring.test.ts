import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseKeyRing } from './key-ring.ts'

const entry = (kid: string) => `${kid}:${randomBytes(32).toString('base64')}`
const first = entry('k1')
const second = entry('k2')

describe('a key ring', () => {
  test.each([
    '',
    'k1',
    'k1:',
    `k1:${randomBytes(16).toString('base64')}`,
    `k1:${randomBytes(31).toString('base64')}`,
    `bad id:${randomBytes(32).toString('base64')}`,
    `${first},`,
  ])('refuses %j', (text) => {
    expect(() => parseKeyRing(text)).toThrow('a key reads <id>:<base64 of at least 32 bytes>')
  })

  test('refuses two keys of one id', () => {
    expect(() => parseKeyRing(`${first},${entry('k1')}`)).toThrow('share a key id')
  })

  test('tells no key material when it refuses', () => {
    const short = randomBytes(30).toString('base64')
    const refused = () => parseKeyRing(`k1:${short}`)
    expect(refused).toThrow('a key reads')
    expect(refused).not.toThrow(short.slice(0, 8))
  })

  test('takes base64url and spaces around the comma', () => {
    const text = `k1:${randomBytes(32).toString('base64url')} , ${second}`
    expect(
      parseKeyRing(text)
        .macs('tokens', 'x')
        .map((one) => one.kid),
    ).toEqual(['k1', 'k2'])
  })
})

describe('a MAC', () => {
  test('is made with the first key and checked with the one that made it', () => {
    const before = parseKeyRing(first)
    const after = parseKeyRing(`${second},${first}`)
    const { kid, mac } = before.mac('leases', 'run 1')
    expect(after.verify('leases', kid, 'run 1', mac)).toBe(true)
    expect(after.mac('leases', 'run 1').kid).toBe('k2')
  })

  test('of other data, another purpose, another key or another length is none', () => {
    const keys = parseKeyRing(`${first},${second}`)
    const { kid, mac } = keys.mac('leases', 'run 1')
    expect(keys.verify('leases', kid, 'run 2', mac)).toBe(false)
    expect(keys.verify('tokens', kid, 'run 1', mac)).toBe(false)
    expect(keys.verify('leases', 'k2', 'run 1', mac)).toBe(false)
    expect(keys.verify('leases', 'k3', 'run 1', mac)).toBe(false)
    expect(keys.verify('leases', kid, 'run 1', mac.subarray(1))).toBe(false)
  })

  test('under a key that left the ring is none', () => {
    const { kid, mac } = parseKeyRing(first).mac('leases', 'run 1')
    expect(parseKeyRing(second).verify('leases', kid, 'run 1', mac)).toBe(false)
  })
})

describe('a sealed text', () => {
  test('opens again, also after a new key came first', () => {
    const sealed = parseKeyRing(first).seal('stored-answers', 'row 1', 'sesame')
    expect(
      parseKeyRing(`${second},${first}`).open('stored-answers', 'row 1', sealed).toString(),
    ).toBe('sesame')
  })

  test('is another one each time, and the text is not in it', () => {
    const keys = parseKeyRing(first)
    const [one, two] = [keys.seal('canary', 'row', 'sesame'), keys.seal('canary', 'row', 'sesame')]
    expect(one.equals(two)).toBe(false)
    expect(one.includes('sesame')).toBe(false)
  })

  test('opens for no other row, purpose or ring, and not when a bit of it changed', () => {
    const keys = parseKeyRing(first)
    const sealed = keys.seal('stored-answers', 'row 1', 'sesame')
    expect(() => keys.open('stored-answers', 'row 2', sealed)).toThrow('authenticate')
    expect(() => keys.open('stored-secrets', 'row 1', sealed)).toThrow('authenticate')
    expect(() => parseKeyRing(second).open('stored-answers', 'row 1', sealed)).toThrow(
      'no longer in the ring',
    )
    for (const at of [sealed.length - 1, 4, 20]) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => keys.open('stored-answers', 'row 1', changed)).toThrow('authenticate')
    }
  })
})
