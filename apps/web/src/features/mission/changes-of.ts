/** Those fields alone that are other than before, and of objects in them the same. */
export function changesOf<T extends object>(before: T, given: Partial<T>): Partial<T> {
  const changed = Object.entries(given).flatMap(([name, value]) => {
    const known: unknown = before[name as keyof T]
    if (Object.is(known, value)) return []
    if (!isRecord(known) || !isRecord(value)) return [[name, value] as const]
    const inside = changesOf(known, value)
    return Object.keys(inside).length === 0 ? [] : [[name, inside] as const]
  })
  // the entries of what was given under the same keys; Object.fromEntries only says string
  return Object.fromEntries(changed) as Partial<T>
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
