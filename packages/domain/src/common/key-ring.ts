import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Each purpose has a key of its own, so that a value made for one is worthless for another. */
export type KeyPurpose =
  | 'tokens'
  | 'sign-ins'
  | 'forms'
  | 'known-browsers'
  | 'tries'
  | 'login-requests'
  | 'login-tokens'
  | 'leases'
  | 'run-tokens'
  | 'stored-secrets'
  | 'stored-answers'
  | 'canary'

interface Key {
  kid: string
  secret: Buffer
}

export interface KeyRing {
  /** MACs of `data`: the current key first, then the older ones. */
  macs(purpose: KeyPurpose, data: string): { kid: string; mac: Buffer }[]
  /** The current key's MAC. */
  mac(purpose: KeyPurpose, data: string): { kid: string; mac: Buffer }
  verify(purpose: KeyPurpose, kid: string, data: string, mac: Buffer): boolean
  /** AES-256-GCM under the current key. `context` names the row, so that values cannot be swapped. */
  seal(purpose: KeyPurpose, context: string, plain: string | Buffer): Buffer
  /** Throws when the value was sealed for another context or under an unknown key. */
  open(purpose: KeyPurpose, context: string, sealed: Buffer): Buffer
}

const keyPattern = /^([A-Za-z0-9_-]{1,20}):([A-Za-z0-9+/_-]{43,}={0,2})$/

/** Throws an Error whose message never holds key material. */
export function parseKeyRing(text: string): KeyRing {
  const keys = text.split(',').map(parseKey)
  if (new Set(keys.map((key) => key.kid)).size !== keys.length) {
    throw new Error('two keys of the ring share a key id; give each its own')
  }
  return ringOf(keys)
}

function parseKey(entry: string): Key {
  const [, kid, encoded] = keyPattern.exec(entry.trim()) ?? []
  const secret = Buffer.from(encoded ?? '', 'base64')
  if (kid === undefined || secret.length < 32) {
    throw new Error('a key reads <id>:<base64 of at least 32 bytes>, keys separated by commas')
  }
  return { kid, secret }
}

function ringOf(keys: Key[]): KeyRing {
  // as objects of their own: made of its bytes at every call, a key costs more than the MAC
  const derived = new Map<string, KeyObject>()
  const keyFor = (purpose: KeyPurpose, key: Key): KeyObject => {
    const name = `${purpose} ${key.kid}`
    const known = derived.get(name)
    if (known) return known
    const bytes = hkdfSync('sha256', key.secret, '', `svc ${purpose}`, 32)
    const made = createSecretKey(Buffer.from(bytes))
    derived.set(name, made)
    return made
  }
  const macWith = (purpose: KeyPurpose, key: Key, data: string) =>
    createHmac('sha256', keyFor(purpose, key)).update(data).digest()
  const current = () => {
    const [first] = keys
    if (!first) throw new Error('the key ring is empty')
    return first
  }

  return {
    macs: (purpose, data) =>
      keys.map((key) => ({ kid: key.kid, mac: macWith(purpose, key, data) })),
    mac: (purpose, data) => ({ kid: current().kid, mac: macWith(purpose, current(), data) }),
    verify(purpose, kid, data, mac) {
      const key = keys.find((one) => one.kid === kid)
      if (!key) return false
      const expected = macWith(purpose, key, data)
      return expected.length === mac.length && timingSafeEqual(expected, mac)
    },
    seal(purpose, context, plain) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose, current()), nonce)
      cipher.setAAD(Buffer.from(context))
      const kid = Buffer.from(current().kid)
      const body = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()])
      return Buffer.concat([Buffer.of(kid.length), kid, nonce, cipher.getAuthTag(), body])
    },
    open(purpose, context, sealed) {
      const kidEnd = 1 + sealed.readUInt8(0)
      const kid = sealed.subarray(1, kidEnd).toString()
      const key = keys.find((one) => one.kid === kid)
      if (!key) throw new Error('sealed under a key that is no longer in the ring')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyFor(purpose, key),
        sealed.subarray(kidEnd, kidEnd + 12),
      )
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(kidEnd + 12, kidEnd + 28))
      return Buffer.concat([decipher.update(sealed.subarray(kidEnd + 28)), decipher.final()])
    },
  }
}
