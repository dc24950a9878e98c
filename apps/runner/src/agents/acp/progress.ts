import { cutText } from '@svc/contracts/cut-text'
import { type Message, listOf, objectOf, textOf, updateIn } from './message.ts'

const mostSpoken = 1_500
const mostCalls = 8
const titleCharacters = 200

/** What an agent has done since somebody last asked. */
export interface Progress {
  /** What it says to people, piece by piece. */
  spoken: (text: string) => void
  /** What else it sends. */
  heard: (message: Message) => void
  /** What the agent has said and done since the last call; undefined where that is nothing. */
  take: () => string | undefined
}

/** Puts what an agent says, does and plans into a few lines. What is spoken comes masked, and the rest is masked here. */
export function followProgress(mask: (text: string) => string): Progress {
  let spoken = ''
  let calls: string[] = []
  let left = 0
  let plan: string | undefined

  function addCall(title: string): void {
    const line = `> ${oneLine(title)}`
    if (calls.at(-1) === line) return
    calls.push(line)
    if (calls.length <= mostCalls) return
    calls = calls.slice(-mostCalls)
    left += 1
  }

  return {
    spoken(text) {
      spoken = (spoken + text).slice(-2 * mostSpoken)
    },
    heard(message) {
      const update = updateIn(message)
      if (update === undefined) return
      const title = textOf(update['title'])
      if (update['sessionUpdate'] === 'tool_call' && title !== undefined) addCall(mask(title))
      if (update['sessionUpdate'] === 'plan') plan = describePlan(listOf(update['entries']), mask)
    },
    take() {
      const said = lastOf(spoken.trim())
      const earlier = left === 0 ? [] : [`(and ${left} calls before)`]
      const lines = [...(said === '' ? [] : [said]), ...earlier, ...calls, ...(plan ? [plan] : [])]
      spoken = ''
      calls = []
      left = 0
      plan = undefined
      return lines.length === 0 ? undefined : lines.join('\n')
    },
  }
}

/** The end of the text within the bound, from the beginning of a line where there is one. */
function lastOf(text: string): string {
  if (text.length <= mostSpoken) return text
  const end = text.slice(-mostSpoken)
  const lineEnd = end.indexOf('\n')
  return `…${lineEnd === -1 ? end : end.slice(lineEnd + 1)}`.toWellFormed()
}

function describePlan(
  entries: readonly unknown[],
  mask: (text: string) => string,
): string | undefined {
  const steps = entries.map(objectOf)
  if (steps.length === 0) return undefined
  const done = steps.filter(({ status }) => status === 'completed').length
  const now = steps.find(({ status }) => status === 'in_progress')
  const at = textOf(now?.['content'])
  return `Plan: ${done} of ${steps.length} done${at === undefined ? '' : `, now: ${oneLine(mask(at))}`}`
}

function oneLine(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), titleCharacters)
}
