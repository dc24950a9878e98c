import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { listen } from '@svc/testing/listen'

export interface Claims extends Record<string, unknown> {
  sub?: unknown
}

export interface Made {
  claims: Claims
  /** What signs it: its key unless given. */
  by?: 'its key' | 'another key' | 'nothing' | 'the public key as a secret' | 'a broken signature'
  kid?: string
  /** What else the token endpoint answers, in place of the identity. */
  answer?: Record<string, unknown>
  /** What the userinfo endpoint says of the person in addition. */
  more?: Claims
}

export interface TokenMaker extends AsyncDisposable {
  issuer: string
  /** What the next code is exchanged for. */
  next: (made: Made) => void
}

const [own, another] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))

/** A provider that signs whatever a test wants. */
export async function openTokenMaker(): Promise<TokenMaker> {
  let made: Made = { claims: {} }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    const answer = answers[path]?.()
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
    request.resume()
  })
  const listening = await listen(server)
  const issuer = listening.url
  const answers: Readonly<Record<string, () => object | undefined>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/more`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    }),
    '/keys': () => ({
      keys: [{ ...own?.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }],
    }),
    '/more': () => made.more,
    '/token': () =>
      made.answer ?? { access_token: 'x', token_type: 'Bearer', id_token: sign(made) },
  }
  return {
    issuer,
    next: (given) => void (made = given),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

const algorithms: Readonly<Record<string, string>> = {
  nothing: 'none',
  'the public key as a secret': 'HS256',
}

function sign({ claims, by = 'its key', kid = 'own' }: Made): string {
  const alg = algorithms[by] ?? 'RS256'
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ alg, kid, typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${signatureOf(signed, by)}`
}

function signatureOf(signed: string, by: Made['by']): string {
  if (by === 'nothing') return ''
  if (by === 'the public key as a secret') {
    const secret = own?.publicKey.export({ format: 'pem', type: 'spki' }) ?? ''
    return createHmac('sha256', secret).update(signed).digest('base64url')
  }
  const key = (by === 'another key' ? another : own)?.privateKey
  const signature = createSign('RSA-SHA256')
    .update(signed)
    .sign(key ?? '')
  if (by === 'a broken signature') signature.writeUInt8(signature.readUInt8(9) ^ 1, 9)
  return signature.toString('base64url')
}
