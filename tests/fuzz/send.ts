import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import type { Sent } from './request.ts'

export interface Target {
  agent: Agent
  url: string
}

export interface Answer {
  status: number
  type: string
  headers: IncomingHttpHeaders
  text: string
}

const patienceMs = 60_000

/** No answer in all that time, or a connection that the server ended without one. */
export type Silence = 'hangs' | 'drops'

/** Undefined where Node sends no such request. */
export async function send(target: Target, sent: Sent): Promise<Answer | Silence | undefined> {
  const first = await sendOnce(target, sent)
  if (first !== 'drops') return first
  // a kept connection ends for what came before, and one of its own for this request alone
  const agent = new Agent()
  try {
    return await sendOnce({ ...target, agent }, sent)
  } finally {
    agent.destroy()
  }
}

/** An answer without end is read as far as what comes first of it. */
async function sendOnce(
  { agent, url }: Target,
  { method, path, headers, body }: Sent,
): Promise<Answer | Silence | undefined> {
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
      const chunks: Buffer[] = []
      const { headers: received } = response
      const finish = () =>
        resolve({ status, type, headers: received, text: Buffer.concat(chunks).toString() })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (!type.startsWith('text/event-stream')) return
        finish()
        response.destroy()
      })
      response.on('error', reject)
      response.on('end', finish)
    })
    request.end(body)
    return await promise
  } catch (error) {
    if (late.aborted) return 'hangs'
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^(ERR_INVALID_\w+|ERR_UNESCAPED_CHARACTERS)$/.test(code)) return undefined
    if (/^(ECONNRESET|EPIPE|HPE_\w+)$/.test(code)) return 'drops'
    throw error
  }
}
