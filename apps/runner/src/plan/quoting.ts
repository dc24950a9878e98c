/** Where in a shell command a placeholder stands. A refusal says in words where it must not stand. */
export type QuotingContext = 'bare' | 'single' | 'double' | { refused: string }

export interface FoundPlaceholder {
  name: string
  start: number
  end: number
  context: QuotingContext
}

interface Scan {
  readonly command: string
  at: number
  frames: ('bare' | 'double' | 'substitution' | 'parenthesis')[]
  /** From here on nothing is certain, and every placeholder is refused. */
  doubt: string | undefined
  readonly found: FoundPlaceholder[]
}

const token = /\{([A-Z0-9_]+)\}/y
// Without quotes, nesting and escapes every shell reads them alike.
const plainParameter = /\$\{[#!]?(?:\w+|[@*?$!#-])(?:[:#%+=?/-][^'"`\\$(){}]*)?\}/y
const plainArithmetic = /\$\(\([^'"`\\$(){}#]*\)\)/y

/**
 * Finds every `{NAME}` of a command for /bin/sh with the quoting that surrounds it. `${NAME}` belongs to the shell and is
 * no placeholder. Where shells differ, or no quoting of ours would be safe, it and all behind it are refused.
 */
export function findPlaceholders(command: string): FoundPlaceholder[] {
  const scan: Scan = { command, at: 0, frames: ['bare'], doubt: undefined, found: [] }
  while (scan.at < command.length) step(scan)
  return scan.found
}

function step(scan: Scan): void {
  const isDouble = scan.frames.at(-1) === 'double'
  switch (scan.command.charAt(scan.at)) {
    case '{':
      return placeholder(scan, isDouble ? 'double' : 'bare')
    case '\\':
      return escape(scan)
    case '`':
      return until(scan, '`', { refused: 'inside backticks' })
    case '$':
      return dollar(scan, isDouble)
    case '"':
      return doubleQuote(scan, isDouble)
    default:
      return isDouble ? skip(scan, 1) : unquoted(scan)
  }
}

function unquoted(scan: Scan): void {
  const { command, at, frames } = scan
  const character = command[at]
  if (character === "'") return until(scan, "'", 'single')
  if (character === '#' && /^$|[\s;&|()<>]/.test(command.slice(0, at).slice(-1))) {
    return until(scan, '\n', { refused: 'in a comment' })
  }
  if (command.startsWith('<<', at)) scan.doubt ??= 'at or behind a here-document'
  if (command.startsWith('((', at)) scan.doubt ??= 'in or behind an arithmetic command'
  if (character === '(') frames.push('parenthesis')
  // The outermost frame stays: a parenthesis of its own, as after a case pattern, closes nothing.
  if (character === ')' && frames.length > 1) frames.pop()
  skip(scan, 1)
}

function placeholder(scan: Scan, context: QuotingContext): void {
  const match = matchAt(token, scan)
  if (match === null) return skip(scan, 1)
  const end = scan.at + match[0].length
  const certain = scan.doubt === undefined ? context : { refused: scan.doubt }
  scan.found.push({ name: match[1] ?? '', start: scan.at, end, context: certain })
  scan.at = end
}

/** A placeholder directly after a backslash is refused: the backslash would escape the first character of the value. */
function escape(scan: Scan): void {
  if (scan.command[scan.at + 1] !== '{') return skip(scan, 2)
  skip(scan, 1)
  placeholder(scan, { refused: 'behind a backslash' })
}

/** Reads on to the closing character. In single quotes and comments a backslash is a character like any other. */
function until(scan: Scan, closing: string, context: QuotingContext): void {
  skip(scan, 1)
  while (scan.at < scan.command.length && scan.command[scan.at] !== closing) {
    if (scan.command[scan.at] === '{') placeholder(scan, context)
    else skip(scan, closing === '`' && scan.command[scan.at] === '\\' ? 2 : 1)
  }
  skip(scan, 1)
}

function doubleQuote(scan: Scan, isDouble: boolean): void {
  if (isDouble) scan.frames.pop()
  else scan.frames.push('double')
  skip(scan, 1)
}

function dollar(scan: Scan, isDouble: boolean): void {
  const { command, at, frames } = scan
  const plain = matchAt(plainParameter, scan) ?? matchAt(plainArithmetic, scan)
  if (plain !== null) return skip(scan, plain[0].length)
  const next = command[at + 1]
  if (next === '(') {
    if (command.startsWith('$((', at)) scan.doubt ??= 'in or behind this arithmetic expression'
    if (/\bcase\b/.test(command)) scan.doubt ??= 'in or behind $(…) in a command with case'
    frames.push('substitution')
    return skip(scan, 2)
  }
  if (next === '{') scan.doubt ??= 'in or behind ${…} with quotes or nesting'
  if (next === '[') scan.doubt ??= 'in or behind $[…]'
  if (next === "'" && !isDouble) scan.doubt ??= "in or behind $'…'"
  skip(scan, next === '$' || next === '{' || next === '#' ? 2 : 1)
}

function matchAt(pattern: RegExp, scan: Scan): RegExpExecArray | null {
  pattern.lastIndex = scan.at
  return pattern.exec(scan.command)
}

function skip(scan: Scan, characters: number): void {
  scan.at += characters
}
