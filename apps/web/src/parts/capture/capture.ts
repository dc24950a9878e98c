import { limits } from '../../data/contracts.values.ts'

/** What is noted down, or why it will not do. */
export type Captured =
  | { title: string; text?: string; problem?: never }
  | { problem: string }
  | undefined

/**
 * The first line is what it is called, and the rest its text. A first line that is too long for that is the text as well, so
 * that none of it is lost. Undefined where nothing is written.
 */
export function capturedOf(typed: string): Captured {
  const whole = typed.trim()
  const [first = '', ...rest] = whole.split('\n')
  const line = first.replace(/^#{1,6}\s+/, '').trim()
  if (line === '') return undefined
  const isLong = line.length > limits.titleCharacters
  const text = isLong ? whole : rest.join('\n').trim()
  const over = text.length - limits.inboxTextCharacters
  if (over > 0) return { problem: `This is ${over} characters too long to be one note.` }
  const title = isLong ? shortened(line, limits.titleCharacters) : line
  return text === '' ? { title } : { title, text }
}

function shortened(line: string, most: number): string {
  const cut = line.slice(0, most - 2)
  const atWord = cut.replace(/\s+\S*$/, '')
  // never half a character
  return `${atWord.replace(/[\uD800-\uDBFF]$/, '')} …`
}
