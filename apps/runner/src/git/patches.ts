import { limits } from '@svc/contracts/limits'
import { pathOfPatch } from '@svc/contracts/split-patch'

/** Every line of a file begins with a sign, so that this is none of them. */
const beginning = Buffer.from('\ndiff --git ')

/** Takes a patch as Git prints it, and keeps those of its files that are not too large, in their order while there is room. */
export function openPatches(mask: (text: string) => string) {
  const found = new Map<string, string>()
  /** Those of which a part is left out. */
  const tooLarge = new Set<string>()
  let room: number = limits.runPatchBytes
  let carried = Buffer.alloc(0)
  let parts: Buffer[] = []
  let size = 0

  function keep(bytes: Buffer): void {
    // of one that is too large the first line is kept, which names it
    if (size <= limits.runFilePatchBytes) parts.push(bytes)
    size += bytes.length
  }

  function endFile(): void {
    const text = Buffer.concat(parts).toString('utf8')
    const isWhole = size <= limits.runFilePatchBytes
    parts = []
    size = 0
    // those behind them are not named either
    if (text === '' || found.size + tooLarge.size > limits.runFiles) return
    const path = pathOfPatch(text.slice(0, text.search(/\n|$/)))
    // Attributes can have Git print a binary file as text, and the service keeps no NUL.
    const shown = isWhole ? mask(text.replaceAll('\0', '\ufffd')) : ''
    add(path, shown, isWhole)
  }

  /** A file that became a link has two parts. */
  function add(path: string, shown: string, isWhole: boolean): void {
    const before = found.get(path) ?? ''
    const patch = before + shown
    const more = Buffer.byteLength(patch) - Buffer.byteLength(before)
    const fits = more <= room && Buffer.byteLength(patch) <= limits.runFilePatchBytes
    if (isWhole && fits && !tooLarge.has(path)) {
      room -= more
      found.set(path, patch)
      return
    }
    tooLarge.add(path)
    room += Buffer.byteLength(before)
    found.delete(path)
  }

  return {
    add(bytes: Buffer): void {
      const text = Buffer.concat([carried, bytes])
      let from = 0
      for (;;) {
        const at = text.indexOf(beginning, from)
        if (at === -1) break
        keep(text.subarray(from, at + 1))
        endFile()
        from = at + 1
      }
      // what is carried may be the first part of a beginning
      const to = Math.max(from, text.length - beginning.length + 1)
      keep(text.subarray(from, to))
      carried = text.subarray(to)
    },
    /** Without the last one, where that may go on. */
    end(isCut: boolean): ReadonlyMap<string, string> {
      keep(carried)
      if (!isCut) endFile()
      return found
    },
  }
}
