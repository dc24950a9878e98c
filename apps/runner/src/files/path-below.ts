import { join, sep } from 'node:path'

/** The path of these names below the folder. Names that would lead anywhere else are an error. */
export function pathBelow(folder: string, ...names: readonly string[]): string {
  const path = join(folder, ...names)
  if (path.startsWith(join(folder, sep)) && !path.endsWith(sep)) return path
  throw new Error(`${names.join('/')} does not lie below ${folder}`)
}
