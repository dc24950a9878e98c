import { type SecretForm, secretForms } from './secret-forms.ts'

export const maskText = '[masked]'

export interface Masker {
  /** What can be shown of all that has come so far. */
  push: (chunk: Uint8Array) => Buffer
  /** The rest, at the end of the stream. */
  end: () => Buffer
}

const wholeForms = secretForms.map(({ begins, follows, showsBeginning }) =>
  showsBeginning ? `(?<=${escapeRegExp(begins)})${follows}` : `${escapeRegExp(begins)}${follows}`,
)
const begunForms = secretForms.map(begunPattern).join('|')
const isBegunForm = new RegExp(`^(?:${begunForms})$`)
/** Finds the first position from which all to the end may become a secret. */
const begunFormAtEnd = new RegExp(`(?:${begunForms})$`)
const longestForm = Math.max(...secretForms.map(({ longest }) => longest))

/**
 * Replaces every spelling, and whatever has the form of a secret, in a stream of bytes, however it was cut into chunks.
 * What could be the beginning of one is held back until more comes. Each stream needs its own masker.
 */
export function createMasker(spellings: readonly string[]): Masker {
  const pattern = patternOf(spellings)
  const longestSpelling = Math.max(0, ...spellings.map((spelling) => spelling.length))
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
      return take(Math.min(heldForForms(pending), heldFor(pending, spellings, longestSpelling)))
    },
    end() {
      pending = pending.replaceAll(pattern, maskText)
      return take(pending.length)
    },
  }
}

/** Masks a text that is whole. */
export function maskWholeText(text: string, spellings: readonly string[]): string {
  return createTextMask(spellings)(text)
}

/** The same for many texts. */
export function createTextMask(spellings: readonly string[]): (text: string) => string {
  const pattern = patternOf(spellings)
  return (text) => {
    const masked = Buffer.from(text).toString('latin1').replaceAll(pattern, maskText)
    return Buffer.from(masked, 'latin1').toString('utf8')
  }
}

/** Of every spelling, as it is, and of all that has the form of a secret. */
function patternOf(spellings: readonly string[]): RegExp {
  return new RegExp([...spellings.map(escapeRegExp), ...wholeForms].join('|'), 'g')
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
    isBegunForm.test(match)
  )
}

/** Where the longest tail begins that could still become a spelling. */
function heldFor(text: string, spellings: readonly string[], longest: number): number {
  for (let from = Math.max(0, text.length - longest); from < text.length; from += 1) {
    const tail = text.slice(from)
    if (spellings.some((spelling) => spelling.startsWith(tail))) return from
  }
  return text.length
}

function heldForForms(text: string): number {
  const from = Math.max(0, text.length - longestForm)
  const found = begunFormAtEnd.exec(text.slice(from))
  return found === null ? text.length : from + found.index
}

/** Matches what `begins` begins with, and all of it with what of the rest may have come: `a(?:b(?:c…)?)?`. */
function begunPattern({ begins, soFar }: SecretForm): string {
  return Array.from(begins).reduceRight(
    (rest, character, at) =>
      escapeRegExp(character) + (at === begins.length - 1 ? rest : `(?:${rest})?`),
    soFar,
  )
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
