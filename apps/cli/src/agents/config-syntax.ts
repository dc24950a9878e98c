import { isDeepStrictEqual } from 'node:util'
import type { Entry } from './agent-tools.ts'

export type Path = readonly string[]
export type Table = Readonly<Record<string, unknown>>

/** What becomes of an entry: these keys of it are set, those go, and the others stay as they are. */
export interface Change {
  set: Entry
  drop: readonly string[]
}

/** A way to write settings down, edited so that everything else keeps its form. */
export interface ConfigSyntax {
  /** An empty text is an empty table. */
  parse(text: string): Table
  put(text: string, at: Path, change: Change): string
  remove(text: string, at: Path): string
  /** What makes it possible to edit what is not. */
  cure: string
}

/** What is written cannot be read; the line counts from 1. */
export class Unparsable extends Error {
  override readonly name = 'Unparsable'
  readonly line: number

  constructor(line: number, why: string) {
    super(why)
    this.line = line
  }
}

/** An edit would have changed more than it should, or less; the message is the cure. */
export class Uneditable extends Error {
  override readonly name = 'Uneditable'
}

export function putEntry(syntax: ConfigSyntax, text: string, at: Path, change: Change): string {
  const before = valueAt(syntax.parse(text), at)
  const kept = Object.entries(isTable(before) ? before : {}).filter(
    ([key]) => !change.drop.includes(key),
  )
  const wanted = merged(Object.fromEntries(kept), change.set)
  return checked(syntax, text, { after: syntax.put(text, at, change), at, wanted })
}

export function removeEntry(syntax: ConfigSyntax, text: string, at: Path): string {
  return checked(syntax, text, { after: syntax.remove(text, at), at, wanted: undefined })
}

/** Read again, so that nothing is ever written that says something else than it should. */
function checked(
  syntax: ConfigSyntax,
  before: string,
  { after, at, wanted }: { after: string; at: Path; wanted: unknown },
): string {
  const was = syntax.parse(before)
  const is = parsedOr(syntax, after)
  const isEntry = isDeepStrictEqual(plain(valueAt(is, at)), plain(wanted))
  const isAllElse = isDeepStrictEqual(plain(without(is, at)), plain(without(was, at)))
  if (isEntry && isAllElse) return after
  throw new Uneditable(syntax.cure)
}

function parsedOr(syntax: ConfigSyntax, text: string): Table {
  try {
    return syntax.parse(text)
  } catch (error) {
    if (error instanceof Unparsable) throw new Uneditable(syntax.cure)
    throw error
  }
}

/** Nor the tables that held nothing else, which TOML need not name. */
function without(table: Table, [key = '', ...rest]: Path): Table {
  const { [key]: inner, ...others } = table
  const left = rest.length > 0 && isTable(inner) ? without(inner, rest) : {}
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left }
}

function merged(before: unknown, set: unknown): unknown {
  if (!isTable(before) || !isTable(set)) return set
  const inner = Object.entries(set).map(([key, value]) => [key, merged(before[key], value)])
  return { ...before, ...Object.fromEntries(inner) }
}

/** A copy without the prototypes that parsers give their tables. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isTable(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

export function valueAt(value: unknown, at: Path): unknown {
  return at.reduce<unknown>((inner, key) => (isTable(inner) ? inner[key] : undefined), value)
}

export function isTable(value: unknown): value is Table {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  )
}

export function endOfLineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}
