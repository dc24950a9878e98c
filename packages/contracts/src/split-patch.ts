export interface PatchOfFile {
  path: string
  patch: string
}

/**
 * The files of a patch that Git has printed without renames, each path once: a file that became a link has two parts. Every
 * line of a file begins with a sign, so a header cannot be in one; only a newline ends a line.
 */
export function splitPatch(patch: string): PatchOfFile[] {
  const files: PatchOfFile[] = []
  for (const part of patch.split(/(?<=^|\n)(?=diff --git )/)) {
    if (!part.startsWith('diff --git ')) continue
    const path = pathOfPatch(part.slice(0, part.search(/\n|$/)))
    const last = files.at(-1)
    if (last?.path === path) last.patch += part
    else files.push({ path, patch: part })
  }
  return files
}

/** Of `diff --git a/x b/x`, whose two sides are the same where nothing was renamed. */
export function pathOfPatch(line: string): string {
  const rest = line.slice('diff --git '.length)
  const quoted = /^("(?:[^"\\]|\\.)*") /.exec(rest)?.[1]
  const side = quoted ?? rest.slice(0, Math.floor((rest.length - 1) / 2))
  return unquotePath(side).replace(/^[ab]\//, '')
}

const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
}

/** Git writes a path with unusual characters in quotes, each byte of those as `\303`. */
export function unquotePath(path: string): string {
  if (!/^".*"$/s.test(path)) return path
  const bytes: number[] = []
  for (const [whole, octal, sign] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else if (sign !== undefined) bytes.push(escapes[sign] ?? sign.charCodeAt(0))
    else bytes.push(...new TextEncoder().encode(whole))
  }
  return new TextDecoder().decode(new Uint8Array(bytes))
}
