import { TomlError, parse } from 'smol-toml'
import {
  type Change,
  type ConfigSyntax,
  type Path,
  type Table,
  Unparsable,
  endOfLineOf,
  isTable,
  valueAt,
} from './config-syntax.ts'

/**
 * A table that has a header of its own is edited line by line. Written in any other way, as in one line within another
 * table, it comes out wrong, which is seen when it is read again.
 */
export const toml: ConfigSyntax = {
  parse: (text) => {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof TomlError)) throw error
      const [why = ''] = error.message.replace('Invalid TOML document: ', '').split('\n')
      throw new Unparsable(error.line, why)
    }
  },
  put: (text, at, { set, drop }: Change) => {
    const isThere = valueAt(parse(text), at) !== undefined
    if (!isThere) return append(text, at, set)
    const without = drop.reduce((left, key) => cutKey(cut(left, [...at, key]), at, key), text)
    return Object.entries(set).reduce(
      (left, [key, value]) => putKey(left, [...at, key], value),
      without,
    )
  },
  remove: cut,
  cure: 'give each server a table of its own, such as [mcp_servers.name]',
}

interface Block {
  /** Its header. */
  start: number
  /** Behind the last line that says something. */
  end: number
}

function append(text: string, at: Path, set: Table): string {
  const eol = endOfLineOf(text)
  const lines = Object.entries(set).map(([key, value]) => `${key} = ${show(value)}${eol}`)
  const before = text.trim() === '' ? '' : `${text.replace(/(?:\r?\n)*$/, '')}${eol}${eol}`
  return `${before}[${at.join('.')}]${eol}${lines.join('')}`
}

function putKey(text: string, at: Path, value: unknown): string {
  if (isTable(value) && blockOf(linesOf(text), at) !== undefined) {
    return Object.entries(value).reduce(
      (left, [key, inner]) => putKey(left, [...at, key], inner),
      text,
    )
  }
  const [above, key] = [at.slice(0, -1), at.at(-1) ?? '']
  const lines = linesOf(text)
  const block = blockOf(lines, above)
  if (block === undefined) return text
  const before = valueAt(parse(text), at)
  const wanted = isTable(before) && isTable(value) ? { ...before, ...value } : value
  if (JSON.stringify(before) === JSON.stringify(wanted)) return text
  const span = spanOf(lines, block, key)
  const assignment = `${key} = ${show(wanted)}`
  if (span === undefined) {
    const last = lines[block.end - 1] ?? ''
    const eol = endOfLineOf(text)
    lines[block.end - 1] = `${last.replace(/\r?\n$/, '')}${eol}`
    lines.splice(block.end, 0, `${assignment}${eol}`)
  } else {
    const line = lines.slice(span.start, span.end).join('')
    const [indent = '', eol = ''] = [/^[ \t]*/.exec(line)?.[0], /\r?\n$/.exec(line)?.[0]]
    lines.splice(span.start, span.end - span.start, indent + assignment + commentOf(line) + eol)
  }
  return lines.join('')
}

function cutKey(text: string, table: Path, key: string): string {
  const lines = linesOf(text)
  const block = blockOf(lines, table)
  const span = block && spanOf(lines, block, key)
  if (span) lines.splice(span.start, span.end - span.start)
  return lines.join('')
}

/** The table, those below it, and the empty line before each. */
function cut(text: string, at: Path): string {
  const lines = linesOf(text)
  for (let block = blockOf(lines, at, true); block; block = blockOf(lines, at, true)) {
    const isApart = (lines[block.start - 1] ?? '').trim() === '' && block.start > 0
    const start = isApart ? block.start - 1 : block.start
    lines.splice(start, block.end - start)
  }
  return lines.join('')
}

function blockOf(lines: readonly string[], at: Path, orBelow = false): Block | undefined {
  const start = lines.findIndex((line, index) => {
    const header = headerOf(line)
    if (header === undefined || (!orBelow && header.length !== at.length)) return false
    return at.every((key, depth) => header[depth] === key) && isOutside(lines, index)
  })
  if (start === -1) return undefined
  const isNext = (line: string, index: number) =>
    index > start && /^\s*\[/.test(line) && isOutside(lines, index)
  const next = lines.findIndex(isNext)
  let end = next === -1 ? lines.length : next
  // comments before the next header are about that one
  while (end > start + 1 && /^\s*(#|$)/.test(lines[end - 1] ?? '')) end -= 1
  return { start, end }
}

/** No part of a text or a list of several lines, which could not end before it. */
function isOutside(lines: readonly string[], index: number): boolean {
  return isReadable(lines.slice(0, index).join(''))
}

/** `[a.b]` as a path; nothing of a line that is no header. */
function headerOf(line: string): Path | undefined {
  if (!/^\s*\[[^[]/.test(line)) return undefined
  try {
    const path: string[] = []
    let inner: Table = parse(line)
    for (let [key] = Object.keys(inner); key !== undefined; [key] = Object.keys(inner)) {
      path.push(key)
      // each table of a header holds the next one alone
      inner = inner[key] as Table
    }
    return path
  } catch {
    return undefined
  }
}

/** The lines of one assignment: as many as can be read by themselves. */
function spanOf(lines: readonly string[], block: Block, key: string): Block | undefined {
  for (let start = block.start + 1; start < block.end; start += 1) {
    if (!new RegExp(String.raw`^\s*["']?${key}["']?\s*=`).test(lines[start] ?? '')) continue
    for (let end = start + 1; end <= block.end; end += 1) {
      if (isReadable(lines.slice(start, end).join(''))) return { start, end }
    }
  }
  return undefined
}

/** What stands behind the value: the text from the first `#` before which all can be read. */
function commentOf(line: string): string {
  const assignment = line.replace(/\r?\n$/, '')
  for (const { index } of assignment.matchAll(/\s*#/g)) {
    if (isReadable(assignment.slice(0, index))) return assignment.slice(index)
  }
  return ''
}

function isReadable(text: string): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}

/** Strings of JSON are strings of TOML. */
function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (!isTable(value)) return JSON.stringify(value)
  const pairs = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)} = ${show(inner)}`,
  )
  return `{ ${pairs.join(', ')} }`
}
