import { timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../common/key-ring.ts'
import { bytesOfToken, tokenOf } from './token-secret.ts'

/** Whose token it is: one run, as often as it had been claimed by then, and the token that claimed it. */
export interface TokenOfRun {
  workspaceId: string
  requestId: string
  generation: number
  tokenId: string
}

const macBytes = 32
const saidBytes = 3 * 16 + 4

/**
 * What it says and a MAC of that: derived, never stored, so a repeated claim gets the same one. The MAC stands last: where
 * a token begins is nothing that anybody could not know.
 */
export function runTokenOf(keys: KeyRing, run: TokenOfRun): string {
  const said = pack(run)
  return tokenOf('run', Buffer.concat([said, keys.mac('run-tokens', textOf(said)).mac]))
}

/** Reads what a token of a run says. Undefined where none of our keys made it. */
export function readRunToken(keys: KeyRing, token: string): TokenOfRun | undefined {
  const bytes = bytesOfToken('run', token, macBytes + saidBytes)
  if (!bytes) return undefined
  const said = bytes.subarray(0, saidBytes)
  const given = bytes.subarray(saidBytes)
  const isOurs = keys
    .macs('run-tokens', textOf(said))
    .some(({ mac }) => timingSafeEqual(mac, given))
  return isOurs ? unpack(said) : undefined
}

function textOf(said: Buffer): string {
  return said.toString('hex')
}

function pack({ workspaceId, requestId, generation, tokenId }: TokenOfRun): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(generation)
  const ids = [workspaceId, requestId, tokenId].map((id) => id.replaceAll('-', ''))
  return Buffer.concat([Buffer.from(ids.join(''), 'hex'), number])
}

function unpack(said: Buffer): TokenOfRun {
  const idAt = (index: number) =>
    said
      .toString('hex', 16 * index, 16 * (index + 1))
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return {
    workspaceId: idAt(0),
    requestId: idAt(1),
    tokenId: idAt(2),
    generation: said.readUInt32BE(48),
  }
}
