export const maskText = '[masked]'

export interface Masker {
  /** What can be shown of all that has come so far. */
  push: (chunk: Uint8Array) => Buffer
  /** The rest, at the end of the stream. */
  end: () => Buffer
}

/** Our own tokens: a prefix and so many characters of the class behind it. */
const shapes = [
  { prefix: 'svcut_', characters: '[0-9A-Za-z]', least: 40, most: 60 },
  { prefix: 'svcoa_', characters: '[0-9A-Za-z]', least: 40, most: 60 },
  { prefix: 'sess_', characters: '[0-9A-Za-z_-]', least: 40, most: 60 },
  { prefix: 'whsec_', characters: '[0-9A-Za-z+/=_-]', least: 20, most: 90 },
] as const

/**
 * Replaces every spelling in a stream of bytes, however it was cut into chunks. What could be the beginning of one is
 * held back until more comes. Each stream needs its own masker.
 */
export function createMasker(spellings: readonly string[]): Masker {
  const pattern = new RegExp(
    [...spellings.map(escapeRegExp), ...shapes.map(shapePattern)].join('|'),
    'g',
  )
  const longest = Math.max(100, ...spellings.map((spelling) => spelling.length))
  let pending = ''

  function take(end: number): Buffer {
    const shown = Buffer.from(pending.slice(0, end), 'latin1')
    pending = pending.slice(end)
    return shown
  }

  return {
    push(chunk) {
      pending += Buffer.from(chunk).toString('latin1')
      pending = maskWhole(pending, pattern, spellings)
      return take(heldFrom(pending, spellings, longest))
    },
    end() {
      pending = pending.replaceAll(pattern, maskText)
      return take(pending.length)
    },
  }
}

/** Masks a text that is whole. */
export function maskWholeText(text: string, spellings: readonly string[]): string {
  const masker = createMasker(spellings)
  return Buffer.concat([masker.push(Buffer.from(text)), masker.end()]).toString('utf8')
}

/** A match that reaches the end may be a part of a longer one, and waits. */
function maskWhole(text: string, pattern: RegExp, spellings: readonly string[]): string {
  return text.replaceAll(pattern, (match: string, ...rest: unknown[]) => {
    const offset = rest.find((value) => typeof value === 'number') ?? 0
    const reachesEnd = offset + match.length === text.length
    return reachesEnd && mayGrow(match, spellings) ? match : maskText
  })
}

function mayGrow(match: string, spellings: readonly string[]): boolean {
  return (
    spellings.some((spelling) => spelling !== match && spelling.startsWith(match)) ||
    isShapeStart(match)
  )
}

/** Where the longest tail begins that could still become a secret. */
function heldFrom(text: string, spellings: readonly string[], longest: number): number {
  for (let from = Math.max(0, text.length - longest); from < text.length; from += 1) {
    const tail = text.slice(from)
    if (isShapeStart(tail) || spellings.some((spelling) => spelling.startsWith(tail))) return from
  }
  return text.length
}

const shapeStarts = shapes.map(({ prefix, characters, most }) => ({
  prefix,
  start: new RegExp(`^${prefix}${characters}{0,${most - 1}}$`),
}))

function isShapeStart(tail: string): boolean {
  return shapeStarts.some(({ prefix, start }) => prefix.startsWith(tail) || start.test(tail))
}

function shapePattern({ prefix, characters, least, most }: (typeof shapes)[number]): string {
  return `${prefix}${characters}{${least},${most}}`
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
