/** The order in which this one stands in front of, or behind, that one. */
export function placed(
  ids: readonly string[],
  id: string,
  edge: 'before' | 'after',
  target: string,
): string[] {
  if (id === target || !ids.includes(target)) return [...ids]
  const others = ids.filter((one) => one !== id)
  const at = others.indexOf(target) + (edge === 'after' ? 1 : 0)
  return others.toSpliced(at, 0, id)
}

/** One place up or down; the same order where there is none. */
export function stepped(ids: readonly string[], id: string, step: 1 | -1): string[] {
  const target = ids[ids.indexOf(id) + step]
  if (!ids.includes(id) || target === undefined) return [...ids]
  return placed(ids, id, step === 1 ? 'after' : 'before', target)
}

/** The same things in this order; those that it does not name stay where they are. */
export function inOrder<T extends { id: string }>(all: readonly T[], ids: readonly string[]): T[] {
  const byId = new Map(all.map((one) => [one.id, one]))
  const named = ids.flatMap((id) => byId.get(id) ?? [])
  const wanted = new Set(named.map(({ id }) => id))
  let next = 0
  return all.map((one) => (wanted.has(one.id) ? (named[next++] ?? one) : one))
}

export function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}
