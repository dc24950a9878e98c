/** What the benchmarks print, and how they make one figure of many. */
export const say = (text: string) => void process.stdout.write(`${text}\n`)

export function table(rows: readonly (readonly string[])[]): void {
  const widths = rows.reduce<number[]>(
    (widest, cells) => cells.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  )
  for (const cells of rows) {
    say(
      cells
        .map((cell, index) => cell.padEnd((widths[index] ?? 0) + 3))
        .join('')
        .trimEnd(),
    )
  }
}

/** The percentile of values in any order: `share` of them are not above it. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** `median (least to most)`, of one value for each round. */
export function spread(values: readonly number[], digits = 1): string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const [middle, from, to] = [median(values), least, most].map((value) => value.toFixed(digits))
  return `${middle} (${from} to ${to})`
}

/** A row of a table that is printed while it is measured. */
export const row = (name: string, value: string) => say(`${name.padEnd(72)}${value}`)

/** Minimum, median and maximum, one below the other from row to row. */
export function inColumns(values: readonly number[]): string {
  return [0, 0.5, 1]
    .map((share) => String(Math.round(percentile(values, share))).padStart(7))
    .join('')
}
