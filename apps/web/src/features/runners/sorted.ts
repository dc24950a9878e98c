import type { Runner } from '@svc/contracts/runner'

/** By their names, so that none changes its place because another was heard of. */
export function sortedByName(runners: readonly Runner[]): Runner[] {
  return runners.toSorted(
    (one, other) => one.label.localeCompare(other.label) || one.id.localeCompare(other.id),
  )
}

/** Those that are here now and were not: new ones, and those that were away. */
export function cameSince<R extends Pick<Runner, 'id' | 'state'>>(
  before: ReadonlySet<string>,
  runners: readonly R[],
): R[] {
  return runners.filter(({ id, state }) => state === 'connected' && !before.has(id))
}

export function idsHere(runners: readonly Pick<Runner, 'id' | 'state'>[]): Set<string> {
  return new Set(runners.filter(({ state }) => state === 'connected').map(({ id }) => id))
}
