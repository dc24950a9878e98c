/**
 * An answer that was asked for earlier may come later: of each thing that is in both, the one with the higher revision is
 * kept. What is the same stays the same object, so that nothing is drawn again for it.
 */
export function keepNewest(before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return before
  if (Array.isArray(before) && Array.isArray(after)) return keepNewestOfList(before, after)
  if (!isRecord(before) || !isRecord(after)) return after
  if (isOlder(after, before)) return before
  const names = Object.keys(after)
  const merged = names.map((name) => [name, keepNewest(before[name], after[name])] as const)
  const isSame =
    names.length === Object.keys(before).length &&
    merged.every(([name, value]) => Object.is(before[name], value))
  return isSame ? before : Object.fromEntries(merged)
}

function keepNewestOfList(before: readonly unknown[], after: readonly unknown[]): unknown {
  const known = new Map(before.map((one, index) => [idOf(one) ?? index, one]))
  const merged = after.map((one, index) => keepNewest(known.get(idOf(one) ?? index), one))
  const isSame =
    merged.length === before.length && merged.every((one, index) => Object.is(one, before[index]))
  return isSame ? before : merged
}

function isOlder(one: Record<string, unknown>, than: Record<string, unknown>): boolean {
  const [revision, known] = [one['revision'], than['revision']]
  if (typeof revision !== 'number' || typeof known !== 'number') return false
  return idOf(one) !== undefined && idOf(one) === idOf(than) && revision < known
}

function idOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value['id'] === 'string' ? value['id'] : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
