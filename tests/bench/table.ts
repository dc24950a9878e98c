import { percentile, say } from './figures.ts'

export const row = (name: string, value: string) => say(`${name.padEnd(72)}${value}`)

/** Minimum, median and maximum, one below the other from row to row. */
export function inColumns(values: readonly number[]): string {
  return [0, 0.5, 1]
    .map((share) => String(Math.round(percentile(values, share))).padStart(7))
    .join('')
}
