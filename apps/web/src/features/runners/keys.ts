import type { Key } from '../../shell/keys.ts'

interface Does {
  mayAdd: boolean
  walk: (step: 1 | -1) => unknown
  add: () => unknown
}

export function runnerKeys({ mayAdd, walk, add }: Does): Key[] {
  return [
    { keys: 'j', does: 'the next runner', run: () => walk(1) },
    { keys: 'k', does: 'the runner before', run: () => walk(-1) },
    { keys: 'Enter', does: 'open or close it', run: () => false },
    ...(mayAdd ? [{ keys: 'c', does: 'add a runner', run: add }] : []),
  ]
}
