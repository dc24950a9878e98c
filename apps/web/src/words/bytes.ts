const units = ['bytes', 'KB', 'MB', 'GB']

/** How much that is: 812 bytes, 41 KB, 12.4 MB. */
export function bytesInWords(count: number): string {
  let [value, unit] = [count, 0]
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000
    unit += 1
  }
  const shown = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10
  return `${shown} ${count === 1 ? 'byte' : units[unit]}`
}
