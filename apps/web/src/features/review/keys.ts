import type { Key } from '../../shell/keys.ts'

type Does<Name extends string> = Readonly<Record<Name, () => void>>

export function decisionKeys({ accept, changes }: Partial<Does<'accept' | 'changes'>>): Key[] {
  return [
    ...(accept ? [{ keys: 'A', does: 'accept', run: accept }] : []),
    ...(changes ? [{ keys: 'R', does: 'ask for changes', run: changes }] : []),
  ]
}

export function walkKeys({ next, previous }: Does<'next' | 'previous'>): Key[] {
  return [
    { keys: 'n', does: 'next file', run: next },
    { keys: 'p', does: 'file before', run: previous },
  ]
}

export function lineKeys({
  down,
  up,
  view,
  note,
}: Does<'down' | 'up' | 'view'> & Partial<Does<'note'>>): Key[] {
  return [
    { keys: 'v', does: 'file viewed, and on to the next', run: view },
    { keys: 'j', does: 'next line', run: down },
    { keys: 'k', does: 'line before', run: up },
    ...(note ? [{ keys: 'c', does: 'note on the line, or on the file', run: note }] : []),
  ]
}
