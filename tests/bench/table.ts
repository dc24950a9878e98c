export const say = (text: string) => void process.stdout.write(`${text}\n`)

export const row = (name: string, value: string) => say(`${name.padEnd(72)}${value}`)

/** Minimum, median and maximum. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => String(Math.round(sorted[index] ?? Number.NaN)).padStart(7)
  return [0, Math.floor(sorted.length / 2), sorted.length - 1].map(at).join('')
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
