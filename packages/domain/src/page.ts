/** One row more than asked for tells that there is a next page; its cursor is the last row given. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (row: T) => string,
): { items: T[]; nextCursor: { nextCursor?: string } } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items, nextCursor: more ? { nextCursor: cursorOf(last) } : {} }
}
