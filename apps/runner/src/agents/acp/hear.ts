import { createTextMask } from '../../output/mask.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter } from '../adapter.ts'
import type { ToldUsage } from '../told-usage.ts'
import { rememberCalls } from './calls.ts'
import { readLines } from './lines.ts'
import { type Message, chunkIn, parseMessage, textOf, updateIn } from './message.ts'
import { followProgress } from './progress.ts'
import { openTranscript } from './transcript.ts'
import { readUsage } from './usage.ts'

/** Pieces of a history follow each other at once. */
const quietMs = 200
const longestReplayMs = 10_000
const mostWords = 4_000
const longestError = 64 * 1024

/** All that is read of an agent that is spoken with, and what is known from it. */
export interface Hearing {
  /** Takes what the agent writes to its standard output. */
  output: { push: (chunk: Uint8Array) => void; end: () => void }
  /** Takes what it writes to its standard error, which stands in the log by itself. */
  errors: (chunk: Uint8Array) => void
  /** What it is sent stands in the log, too. */
  said: (message: Message) => void
  /** What comes was said in the conversation before, and stands in the log of the run before. */
  replay: (isReplayed: boolean) => void
  /** Resolves when nothing of that has come for a while. */
  replayed: () => Promise<void>
  /** Its answer to the prompt. */
  prompted: (answer: Message) => void
  /** All that was said of a call so far. */
  findCall: (toolCallId: string) => Message
  /** What it has done since this was last asked, masked; undefined where that is nothing. */
  takeProgress: () => string | undefined
  /** The end of what it has said since its last call, not masked. */
  lastWords: () => string
  usage: () => ToldUsage | undefined
}

interface Known {
  spellings: readonly string[]
  briefing: string
  tokensOf?: Adapter['tokensOf']
}

interface Outlet {
  /** Takes what belongs into the log, masked. */
  write: (text: string) => void
  note: (sentence: string) => void
  /** Takes what somebody has to answer, or was waiting for. */
  receive: (message: Message) => void
  /** Takes a line that is no message, not masked. */
  printed: (line: string) => void
}

export function openHearing(known: Known, { write, note, receive, printed }: Outlet): Hearing {
  const progress = followProgress(createTextMask(known.spellings))
  const usage = readUsage(known.tokensOf)
  const calls = rememberCalls()
  const transcript = openTranscript(known, { write, onSpoken: progress.spoken })
  let isReplayed = false
  let replayedAt = 0
  let lastWords = ''

  function listen(update: Message): void {
    const chunk = chunkIn(update)
    if (chunk?.kind === 'agent_message_chunk')
      lastWords = (lastWords + chunk.text).slice(-mostWords)
    else if (update['sessionUpdate'] === 'tool_call') lastWords = ''
  }

  function hear(message: Message): void {
    const update = updateIn(message)
    const isUpdate = update !== undefined
    if (isUpdate && isReplayed) {
      replayedAt = performance.now()
      return
    }
    transcript.heard(message)
    if (isUpdate) listen(update)
    if (isUpdate) for (const one of [progress, usage, calls]) one.heard(message)
    else if (isToAnswer(message)) receive(message)
  }

  const lines = readLines(
    (line) => {
      const message = parseMessage(line)
      if (message !== undefined) return orNote(() => hear(message), note)
      transcript.printed(line)
      printed(line)
    },
    () => note('A line that was too long is left out'),
  )
  const errors = readLines(printed, () => undefined, longestError)

  return {
    output: {
      push: lines.push,
      end() {
        lines.end()
        transcript.end()
      },
    },
    errors: errors.push,
    said: transcript.said,
    replay: (is) => void (isReplayed = is),
    async replayed() {
      const end = performance.now() + longestReplayMs
      replayedAt = performance.now()
      while (performance.now() < Math.min(end, replayedAt + quietMs)) await sleep(quietMs / 4)
    },
    prompted: usage.prompted,
    findCall: calls.find,
    takeProgress: progress.take,
    lastWords: () => lastWords,
    usage: usage.usage,
  }
}

/** A request, an answer, or that an answer is not waited for any more. */
function isToAnswer(message: Message): boolean {
  const method = textOf(message['method'])
  return method === undefined || 'id' in message || method === '$/cancel_request'
}

/** A message that cannot be taken, as one that is nested without end, ends nothing. */
function orNote(work: () => void, note: (sentence: string) => void): void {
  try {
    work()
  } catch {
    note('A message that could not be read is left out')
  }
}
