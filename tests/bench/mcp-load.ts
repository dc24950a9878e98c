import { Pool } from 'undici'

export type Era = 'legacy' | 'modern'

export interface Message {
  era: Era
  method: 'tools/call' | 'tools/list'
  /** The tool that a message calls, if it is a call. */
  tool?: { name: string; arguments: Record<string, unknown> }
}

export interface Target {
  /** The URL of the endpoint for this era. */
  url: string
  message: Message
  /** Taken in turn, as those of many people. */
  nextToken: () => string
}

export interface Leg {
  callsPerSecond: number
  p50: number
  p99: number
  answerBytes: number
}

const connections = 16
const revisions = { legacy: '2025-11-25', modern: '2026-07-28' } as const

/** Keeps all connections busy until `milliseconds` have passed; throws at the first wrong answer. */
export async function load(target: Target, milliseconds: number): Promise<Leg> {
  const { origin, pathname } = new URL(target.url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const body = bodyOf(target.message)
  const headers = headersOf(target.message)
  const latencies: number[] = []

  async function call(): Promise<string> {
    const authorization = `Bearer ${target.nextToken()}`
    const answer = await pool.request({
      path: pathname,
      method: 'POST',
      headers: { ...headers, authorization },
      body,
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${target.url}: ${answer.statusCode} ${text}`)
    return text
  }

  async function worker(expected: string, end: number): Promise<void> {
    for (let begun = performance.now(); begun < end; begun = performance.now()) {
      const text = await call()
      if (text !== expected) throw new Error(`${target.url} answered otherwise: ${text}`)
      latencies.push(performance.now() - begun)
    }
  }

  try {
    const expected = await call()
    if (!isResult(expected)) throw new Error(`${target.url} refused: ${expected}`)
    const begun = performance.now()
    const end = begun + milliseconds
    await Promise.all(Array.from({ length: connections }, () => worker(expected, end)))
    const seconds = (performance.now() - begun) / 1000
    return legOf(latencies, seconds, Buffer.byteLength(expected))
  } finally {
    await pool.close()
  }
}

function isResult(text: string): boolean {
  const { result } = JSON.parse(text) as { result?: { isError?: boolean } } // checked here
  return result !== undefined && result.isError !== true
}

function legOf(latencies: number[], seconds: number, answerBytes: number): Leg {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { callsPerSecond: sorted.length / seconds, p50: at(0.5), p99: at(0.99), answerBytes }
}

function bodyOf({ era, method, tool }: Message): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revisions.modern,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  }
  const params = { ...tool, ...(era === 'modern' && { _meta }) }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

function headersOf({ era, method, tool }: Message): Record<string, string> {
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': revisions[era],
    ...(era === 'modern' && { 'mcp-method': method }),
    ...(era === 'modern' && tool && { 'mcp-name': tool.name }),
  }
}
