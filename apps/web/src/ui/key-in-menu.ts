/** The letters that were typed one after the other, and when the last one was. */
export interface Typed {
  text: string
  at: number
}

/** Letters that come further apart begin another word. */
const togetherMs = 500

/** What of a row counts here; the focus is on it, or on none. */
export interface MenuRow {
  readonly dataset: Readonly<Record<string, string | undefined>>
  readonly textContent: string | null
}

interface Key {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  target: unknown
  timeStamp: number
}

/** The row that a key leads to, or that it closes the menu; undefined where it means nothing here. */
export function keyInMenu<Row extends MenuRow>(
  { key, ctrlKey, metaKey, altKey, target, timeStamp }: Key,
  rows: readonly Row[],
  typed: { current: Typed | undefined },
): Row | 'close' | undefined {
  const here = rows.findIndex((row) => row === target)
  if (key === 'Escape' || key === 'Tab') return 'close'
  if (key === 'ArrowDown') return rows[(here + 1) % rows.length]
  if (key === 'ArrowUp') return rows.at(here <= 0 ? -1 : here - 1)
  if (key === 'Home') return rows[0]
  if (key === 'End') return rows.at(-1)
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return undefined
  const before = typed.current
  const isFurther = before !== undefined && timeStamp - before.at < togetherMs
  const letters = (isFurther ? before.text : '') + key.toLowerCase()
  typed.current = { text: letters, at: timeStamp }
  // one letter again and again goes through all that begin with it
  const isOne = letters === key.toLowerCase().repeat(letters.length)
  const from = isOne ? here + 1 : Math.max(0, here)
  const wanted = isOne ? (letters[0] ?? '') : letters
  const inOrder = [...rows.slice(from), ...rows.slice(0, from)]
  return inOrder.find((row) => wordOf(row).startsWith(wanted))
}

const wordOf = ({ dataset, textContent }: MenuRow) =>
  (dataset['word'] ?? textContent ?? '').trim().toLowerCase()
