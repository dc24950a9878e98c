import type { Key } from '../../shell/keys.ts'

interface Does {
  rows: () => readonly HTMLElement[]
  older: (() => void) | undefined
  newest: (() => void) | undefined
}

/** Up and down the rows, whose details Enter unfolds, and from page to page. */
export function auditKeys({ rows, older, newest }: Does): Key[] {
  const walk = (step: 1 | -1) => () => {
    const all = rows()
    const at = all.findIndex((row) => row === document.activeElement)
    const next = at === -1 ? all.at(step === 1 ? 0 : -1) : all[at + step]
    next?.focus()
  }
  return [
    { keys: 'j', does: 'the next entry', run: walk(1) },
    { keys: 'k', does: 'the entry before', run: walk(-1) },
    ...(older ? [{ keys: 'o', does: 'older ones', run: older }] : []),
    ...(newest ? [{ keys: 'n', does: 'the newest', run: newest }] : []),
  ]
}
