import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { accepts } from './accept-encoding.ts'
import type { HttpContext } from './request-context.ts'

/** What fits into one packet of the network is there no sooner for being smaller. */
const fromBytes = 1_400

const compress = promisify(gzip)

/**
 * What was read, compressed where its reader takes that. Only where the request has a header that no other site can have a
 * browser send: how long an answer is must tell no stranger what stands in it (decision 130).
 */
export async function jsonAnswer(
  { req }: HttpContext,
  result: unknown,
  status: number,
): Promise<Response> {
  const plain = new TextEncoder().encode(JSON.stringify(result))
  const headers = { 'content-type': 'application/json', 'content-length': String(plain.length) }
  if (plain.length < fromBytes || !isOurs(req)) return new Response(plain, { status, headers })
  const varying = { ...headers, vary: 'accept-encoding' }
  if (!accepts(req.header('accept-encoding'), 'gzip')) {
    return new Response(plain, { status, headers: varying })
  }
  const small = await compress(plain)
  return new Response(small, {
    status,
    headers: { ...varying, 'content-length': String(small.length), 'content-encoding': 'gzip' },
  })
}

function isOurs(req: HttpContext['req']): boolean {
  return req.header('authorization') !== undefined || req.header('x-svc-workspace') !== undefined
}
