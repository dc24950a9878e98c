import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

/** Output as it is stored. */
export interface PackedLog {
  bytes: Buffer
  /** How long it is when it is unpacked; null: `bytes` is as it came. */
  rawBytes: number | null
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export async function packLog(output: Uint8Array): Promise<PackedLog> {
  const raw = Buffer.from(output)
  const small = await compress(raw)
  if (small.length >= raw.length) return { bytes: raw, rawBytes: null }
  return { bytes: small, rawBytes: raw.length }
}

export function unpackLog({ bytes, rawBytes }: PackedLog): Promise<Buffer> {
  return rawBytes === null ? Promise.resolve(bytes) : decompress(bytes)
}
