/** What the benchmarks print, and how they make one figure of many. */
export const say = (text: string) => void process.stdout.write(`${text}\n`)

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
