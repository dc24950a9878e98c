import { parseJson } from '../../files/parse-json.ts'

/** A message of the protocol, of which nothing is known yet but that it is one. */
export type Message = Readonly<Record<string, unknown>>

/** Undefined for a line that is none: what else a program prints stands between the messages. */
export function parseMessage(line: string): Message | undefined {
  const message = line.startsWith('{') ? parseJson(line) : undefined
  return isObject(message) && message['jsonrpc'] === '2.0' ? message : undefined
}

/** The update in a `session/update` notification; undefined for any other message. */
export function updateIn(message: Message): Message | undefined {
  return message['method'] === 'session/update'
    ? objectOf(objectOf(message['params'])['update'])
    : undefined
}

const chunkKinds = ['agent_message_chunk', 'agent_thought_chunk', 'user_message_chunk']

/** A piece of what is said; pieces of the same `of` are one text. */
export interface TextChunk {
  kind: string
  of: string
  text: string
}

export function chunkIn(update: Message): TextChunk | undefined {
  const kind = textOf(update['sessionUpdate'])
  const { type, text } = objectOf(update['content'])
  if (kind === undefined || !chunkKinds.includes(kind)) return undefined
  if (type !== 'text' || typeof text !== 'string') return undefined
  return { kind, of: `${kind} ${textOf(update['messageId']) ?? ''}`, text }
}

export function objectOf(value: unknown): Message {
  return isObject(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
