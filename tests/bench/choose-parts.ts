/** The parts of a benchmark that `--only` names, with commas; undefined, and said, where there is none of that name. */
export function chooseParts<T>(
  parts: Readonly<Record<string, T>>,
  only = Object.keys(parts).join(','),
): T[] | undefined {
  const chosen: T[] = []
  for (const name of only.split(',')) {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part === undefined) {
      process.stderr.write(`There is no part ${name}: name ${Object.keys(parts).join(', ')}.\n`)
      process.exitCode = 64
      return undefined
    }
    chosen.push(part)
  }
  return chosen
}
