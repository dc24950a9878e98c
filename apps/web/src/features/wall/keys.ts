import type { Key } from '../../shell/keys.ts'

/** A wall has nothing to press: one key leads away from it. */
export function wallKeys({ leave }: { leave: () => void }): Key[] {
  return [{ keys: 'Escape', does: 'leave the wall', run: leave }]
}
