import { type Agent, request as httpRequest } from 'node:http'
import type { Sent } from './request.ts'

export interface Target {
  agent: Agent
  url: string
}

export interface Answer {
  status: number
  type: string
  text: string
}

const patienceMs = 20_000

/** Undefined where no such request can be sent. An answer without end is read as far as its headers. */
export async function send(
  { agent, url }: Target,
  { method, path, headers, body }: Sent,
): Promise<Answer | 'hangs' | undefined> {
  const late = AbortSignal.timeout(patienceMs)
  const length = Buffer.byteLength(body)
  const whole = [
    ...headers,
    'host',
    new URL(url).host,
    ...(length > 0 ? ['content-length', String(length)] : []),
  ]
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  try {
    const request = httpRequest(url, { agent, method, path, headers: whole, signal: late })
    request.on('error', reject)
    request.on('response', (response) => {
      const type = String(response.headers['content-type'] ?? '')
      const status = response.statusCode ?? 0
      if (type.startsWith('text/event-stream')) {
        response.destroy()
        return resolve({ status, type, text: '' })
      }
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status, type, text: Buffer.concat(chunks).toString() }))
    })
    request.end(body)
    return await promise
  } catch (error) {
    if (late.aborted) return 'hangs'
    if (isUnsendable(error)) return undefined
    throw error
  }
}

/** Node sends no such header or path, or the server has closed a connection on which what comes next was no HTTP. */
function isUnsendable(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ERR_INVALID_\w+|ERR_UNESCAPED_CHARACTERS|ECONNRESET|EPIPE|HPE_\w+)$/.test(String(error.code))
  )
}
