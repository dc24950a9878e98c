import type { Key } from '../../shell/keys.ts'

interface Does {
  /** In the order of the page. */
  rows: readonly string[]
  /** The row that has the focus. */
  current: () => string | undefined
  go: (row: string) => void
}

/** From row to row; the options of a question have the keys of their card. */
export function needKeys({ rows, current, go }: Does): Key[] {
  const walk = (step: 1 | -1) => () => {
    const at = rows.indexOf(current() ?? '')
    const next = at === -1 ? rows.at(step === 1 ? 0 : -1) : rows[at + step]
    if (next !== undefined) go(next)
  }
  return [
    { keys: 'j', does: 'the next row', run: walk(1) },
    { keys: 'k', does: 'the row before', run: walk(-1) },
    // of the row itself, since Enter on a button of it is that button's
    { keys: 'Enter', does: 'open the row', run: () => false },
  ]
}
