import { createTextMask } from '../../output/mask.ts'
import type { ToldUsage } from '../told-usage.ts'
import { rememberCalls } from './calls.ts'
import { readLines } from './lines.ts'
import { type Message, parseMessage, textOf, updateIn } from './message.ts'
import { followProgress } from './progress.ts'
import { openTranscript } from './transcript.ts'
import { readUsage } from './usage.ts'

/** All that is read of an agent that is spoken with, and what is known from it. */
export interface Hearing {
  /** Takes what the agent writes to its standard output. */
  output: { push: (chunk: Uint8Array) => void; end: () => void }
  /** What it is sent stands in the log, too. */
  said: (message: Message) => void
  /** What comes was said in the conversation before, and stands in the log of the run before. */
  replay: (isReplayed: boolean) => void
  /** Its answer to the prompt. */
  prompted: (answer: Message) => void
  /** All that was said of a call so far. */
  findCall: (toolCallId: string) => Message
  /** What it has done since this was last asked, masked; undefined where that is nothing. */
  takeProgress: () => string | undefined
  usage: () => ToldUsage | undefined
}

interface Known {
  spellings: readonly string[]
  briefing: string
}

interface Outlet {
  /** Takes what belongs into the log, masked. */
  write: (text: string) => void
  note: (sentence: string) => void
  /** Takes what somebody has to answer, or was waiting for. */
  receive: (message: Message) => void
}

export function openHearing(known: Known, { write, note, receive }: Outlet): Hearing {
  const progress = followProgress(createTextMask(known.spellings))
  const usage = readUsage()
  const calls = rememberCalls()
  const transcript = openTranscript(known, { write, onSpoken: progress.spoken })
  let isReplayed = false

  function hear(message: Message): void {
    const isUpdate = updateIn(message) !== undefined
    if (isUpdate && isReplayed) return
    transcript.heard(message)
    if (isUpdate) for (const one of [progress, usage, calls]) one.heard(message)
    else if (isToAnswer(message)) receive(message)
  }

  const lines = readLines(
    (line) => {
      const message = parseMessage(line)
      if (message === undefined) transcript.printed(line)
      else orNote(() => hear(message), note)
    },
    () => note('A line that was too long is left out'),
  )

  return {
    output: {
      push: lines.push,
      end() {
        lines.end()
        transcript.end()
      },
    },
    said: transcript.said,
    replay: (is) => void (isReplayed = is),
    prompted: usage.prompted,
    findCall: calls.find,
    takeProgress: progress.take,
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
