import { generateKeyPairSync, sign } from 'node:crypto'

/** A certificate that nobody has vouched for, and its key: of no name, good until 2049. RFC 5280. */
export function selfSigned(): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const nobody = sequence()
  const described = sequence(
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    nobody,
    sequence(utcTime('000101000000Z'), utcTime('491231235959Z')),
    nobody,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', described, privateKey))
  const whole = sequence(described, ecdsaWithSha256, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** A value after its type and its length, which takes as few bytes as it can. */
function der(type: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const more = length > 255 ? [0x82, length >> 8] : length > 127 ? [0x81] : []
  return Buffer.concat([Buffer.from([type, ...more, length & 0xff]), body])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const utcTime = (text: string) => der(0x17, Buffer.from(text))
