import type { Key } from '../../shell/keys.ts'

interface Does {
  rows: () => readonly HTMLElement[]
  /** Into the field in which the words are typed. */
  toField: () => void
}

/** Up and down the results; before the first one is the field. Enter opens a result, as it is a link. */
export function searchKeys({ rows, toField }: Does): Key[] {
  const walk = (step: 1 | -1) => () => walkResults(rows(), step, toField)
  return [
    { keys: 'ArrowDown', does: 'the next mission', run: walk(1) },
    { keys: 'ArrowUp', does: 'the mission before', run: walk(-1) },
    { keys: 'j', run: walk(1) },
    { keys: 'k', run: walk(-1) },
    // the help has it from the shell, where it opens a dialog
    { keys: '/', run: toField },
  ]
}

/** Answers false where there is nothing to go to, so that the page scrolls. */
export function walkResults(
  rows: readonly HTMLElement[],
  step: 1 | -1,
  toField: () => void,
): boolean {
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 ? rows.at(step === 1 ? 0 : -1) : rows[at + step]
  if (next) next.focus()
  else if (at === 0 && step === -1) toField()
  else return false
  return true
}
