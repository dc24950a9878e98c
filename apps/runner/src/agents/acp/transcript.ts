import { TextDecoder } from 'node:util'
import { cutText } from '@svc/contracts/cut-text'
import { createMasker, createTextMask, type Masker } from '../../output/mask.ts'
import { type Collected, collect } from './collect.ts'
import { type Message, type TextChunk, chunkIn, textOf, updateIn } from './message.ts'

/** A text within a message that is longer is cut: what an agent has read stands in its files. */
const longestText = 8_000

export interface Transcript {
  /** What the agent has sent. */
  heard: (message: Message) => void
  /** What it is sent. */
  said: (message: Message) => void
  /** What a program prints between the messages. */
  printed: (line: string) => void
  end: () => void
}

interface Known {
  /** Every spelling of the secrets of this machine. */
  spellings: readonly string[]
  /** Named where it is said, and not repeated. */
  briefing: string
}

interface Outlet {
  /** Takes a line, masked, with its line break. */
  write: (text: string) => void
  /** Hears what the agent says to people as it is shown, masked, in the pieces in which it comes. */
  onSpoken: (text: string) => void
}

/**
 * Logs the messages between agent and supervisor as JSON, one a line. A text that comes in pieces is joined before it is
 * masked, so that a secret is found even where it was split.
 */
export function openTranscript(
  { spellings, briefing }: Known,
  { write, onSpoken }: Outlet,
): Transcript {
  const mask = createTextMask(spellings)
  const show = (text: string) => (text === briefing ? '<briefing>' : mask(text))
  const printed = createMasker(spellings)
  const lines = collect((text) => write(printed.push(Buffer.from(text)).toString('utf8')))
  let speech: Speech | undefined

  function writeMessage(message: Message): void {
    lines.flush()
    write(`${mask(JSON.stringify(shortened(message, show)))}\n`)
  }

  function speak(message: Message, chunk: TextChunk): void {
    if (speech?.of !== chunk.of) {
      endSpeech()
      speech = beginSpeech(message, chunk)
    }
    speech.said.add(chunk.text)
  }

  function beginSpeech(message: Message, { of, kind }: TextChunk): Speech {
    const begun: Speech = {
      of,
      isSpoken: kind === 'agent_message_chunk',
      message,
      said: collect((text) => showSpeech(begun, begun.masker.push(Buffer.from(text)))),
      masker: createMasker(spellings),
      decoder: new TextDecoder(),
      pending: '',
    }
    return begun
  }

  /** Whole lines are shown as they come, the rest at the end. */
  function showSpeech(current: Speech, bytes: Uint8Array, isEnd = false): void {
    const text = current.decoder.decode(bytes, { stream: !isEnd })
    if (text !== '' && current.isSpoken) onSpoken(text)
    current.pending += text
    const end = isEnd ? current.pending.length : current.pending.lastIndexOf('\n') + 1
    const shown = current.pending.slice(0, end)
    current.pending = current.pending.slice(end)
    if (shown.trim() !== '') writeSpeech(current, shown)
    if (current.pending.length <= longestText) return
    // one line without an end is shown in pieces
    writeSpeech(current, current.pending)
    current.pending = ''
  }

  function writeSpeech({ message }: Speech, text: string): void {
    write(`${mask(JSON.stringify(withText(message, text)))}\n`)
  }

  function endSpeech(): void {
    if (speech === undefined) return
    speech.said.flush()
    showSpeech(speech, speech.masker.end(), true)
    if (speech.isSpoken) onSpoken('\n')
    speech = undefined
  }

  return {
    heard(message) {
      const update = updateIn(message)
      const chunk = update && chunkIn(update)
      if (chunk !== undefined) return speak(message, chunk)
      if (update === undefined || endsSpeech(update)) endSpeech()
      writeMessage(message)
    },
    said: writeMessage,
    printed: (line) => lines.add(`${line}\n`),
    end() {
      endSpeech()
      lines.flush()
      write(printed.end().toString('utf8'))
    },
  }
}

interface Speech {
  of: string
  isSpoken: boolean
  /** The first of its pieces, whose text stands for that of all. */
  message: Message
  /** What has come of it and was not masked yet. */
  said: Collected
  masker: Masker
  decoder: TextDecoder
  /** Masked, and not shown yet. */
  pending: string
}

/** Some updates come in the middle of a sentence, such as how much of the context is used. */
function endsSpeech(update: Message): boolean {
  return ['tool_call', 'plan'].includes(textOf(update['sessionUpdate']) ?? '')
}

/** It was a chunk with a text. */
function withText(message: Message, text: string): Message {
  const params = message['params'] as { update: { content: object } }
  const { update } = params
  return {
    ...message,
    params: { ...params, update: { ...update, content: { ...update.content, text } } },
  }
}

/** Masked before they are cut: a part of a secret would not be found. */
function shortened(value: unknown, show: (text: string) => string): unknown {
  if (typeof value === 'string') {
    const text = show(value)
    return text.length > longestText ? `${cutText(text, longestText)} … [cut]` : text
  }
  if (Array.isArray(value)) return value.map((one) => shortened(one, show))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one, show)]))
}
