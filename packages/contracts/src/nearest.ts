/** Two letters that changed places; of a short name fewer, or it would be any other. */
const slipOfTheHand = 2

/** The known name that was likely meant; undefined where none is near. */
export function nearestOf(name: string, known: Iterable<string>): string | undefined {
  const slip = Math.min(slipOfTheHand, Math.floor(name.length / 3))
  let nearest: { known: string; distance: number } | undefined
  for (const one of known) {
    const far = distance(name, one)
    if (nearest === undefined || far < nearest.distance) nearest = { known: one, distance: far }
  }
  return nearest !== undefined && nearest.distance <= slip ? nearest.known : undefined
}

/** Levenshtein distance, one row at a time. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [line, letter] of from.split('').entries()) {
    const next = [line + 1]
    for (const [column, other] of to.split('').entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
