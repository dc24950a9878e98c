import type { Key } from '../../shell/keys.ts'

/** Up and down the rows; Enter opens the one that has the focus, as it is a link. */
export function runsKeys(rows: () => readonly HTMLElement[]): Key[] {
  const walk = (step: 1 | -1) => () => {
    const all = rows()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = at === -1 ? all.at(step === 1 ? 0 : -1) : all[at + step]
    next?.focus()
  }
  return [
    { keys: 'j', does: 'the next run', run: walk(1) },
    { keys: 'k', does: 'the run before', run: walk(-1) },
  ]
}
