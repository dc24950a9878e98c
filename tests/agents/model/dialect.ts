import type { Call } from './steps.ts'

/** What a request says of the conversation so far. */
export interface Conversation {
  model: string
  /** What the model said, and what it called with which arguments, one text each. */
  said: string[]
  /** What came of its calls. */
  results: string[]
  /** Names of the tools that it is offered. */
  offered: string[]
  isStreamed: boolean
}

export interface Answer {
  id: string
  model: string
  isStreamed: boolean
  content: { text: string } | { call: Call }
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: string
}

/** The API of a maker as far as its tool uses it. */
export interface Dialect {
  /** Undefined where the request is none for a model's answer. */
  read: (path: string, body: unknown) => Conversation | undefined
  answer: (answer: Answer) => Reply
  /** What else the tool asks for. */
  other: (path: string) => Reply | undefined
}

/** What each answer is said to have cost, whatever it was. */
export const tokens = { input: 1200, output: 40 } as const

export function json(body: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** Server-sent events; each is named after its `type` where the API names them. */
export function events(list: readonly object[], end = ''): Reply {
  const lines = list.map((data) => {
    const name = 'type' in data && typeof data.type === 'string' ? `event: ${data.type}\n` : ''
    return `${name}data: ${JSON.stringify(data)}\n\n`
  })
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    body: lines.join('') + end,
  }
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
