import type { Key } from '../../shell/keys.ts'

interface OnLog {
  find: () => void
  go: (way: 'older' | 'newer') => void
  toEnd: () => void
  wrap: () => void
}

export function logKeys({ find, go, toEnd, wrap }: OnLog): Key[] {
  return [
    { keys: 'f', does: 'find in its log', run: find },
    { keys: 'p', does: 'what was found before', run: () => go('older') },
    { keys: 'n', does: 'what was found after', run: () => go('newer') },
    { keys: 'e', does: 'to the end of its log, and follow it', run: toEnd },
    { keys: 'w', does: 'wrap long lines', run: wrap },
  ]
}

interface OnRun {
  /** Undefined where it is not theirs, or not now. */
  cancel: (() => void) | undefined
  resume: (() => void) | undefined
}

export function runKeys({ cancel, resume }: OnRun): Key[] {
  return [
    ...(cancel ? [{ keys: 'x', does: 'cancel it', run: cancel }] : []),
    ...(resume ? [{ keys: 's', does: 'let it go on', run: resume }] : []),
  ]
}
