import {
  type Node,
  type ParseError,
  type ParseOptions,
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import {
  type Change,
  type ConfigSyntax,
  type Path,
  Unparsable,
  endOfLineOf,
  isTable,
} from './config-syntax.ts'

export const json = syntaxWith({ disallowComments: true })
export const jsonc = syntaxWith({ allowTrailingComma: true })

function syntaxWith(options: ParseOptions): ConfigSyntax {
  return {
    parse: (text) => {
      if (text.trim() === '') return {}
      const errors: ParseError[] = []
      const tree = parseTree(text, errors, options)
      const [first] = errors
      if (first) {
        const line = text.slice(0, first.offset).split('\n').length
        throw new Unparsable(line, wordsOf(printParseErrorCode(first.error)))
      }
      const value: unknown = tree && getNodeValue(tree)
      if (!isTable(value)) throw new Unparsable(1, 'not an object')
      return value
    },
    put: (text, at, { set, drop }: Change) => {
      const start = text.trim() === '' ? `{}${endOfLineOf(text)}` : text
      const without = drop.reduce((left, key) => cut(left, [...at, key]), start)
      return put(without, at, set)
    },
    remove: cut,
    cure: 'name each key once',
  }
}

/** `PropertyNameExpected` as words. */
function wordsOf(code: string): string {
  return code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
}

/** Objects are put into objects key by key, so that what else they hold keeps its form. */
function put(text: string, at: Path, value: unknown): string {
  const node = find(text, at)
  if (node === undefined) return insert(text, at, value)
  if (isTable(value) && node.type === 'object') {
    return Object.entries(value).reduce(
      (left, [key, inner]) => put(left, [...at, key], inner),
      text,
    )
  }
  if (JSON.stringify(getNodeValue(node)) === JSON.stringify(value)) return text
  const shown = show(text, value, indentAt(text, node.offset))
  return splice(text, node.offset, node.offset + node.length, shown)
}

/** After the last one and the comments next to it, on a line of its own. */
function insert(text: string, at: Path, value: unknown): string {
  const above = at.slice(0, -1)
  const parent = find(text, above)
  if (parent === undefined) return insert(text, above, { [at.at(-1) ?? '']: value })
  const eol = endOfLineOf(text)
  const outer = indentAt(text, parent.offset)
  const [first] = parent.children ?? []
  const inner =
    first && startsItsLine(text, first) ? indentAt(text, first.offset) : outer + unitOf(text)
  const closing = parent.offset + parent.length - 1
  const end = text.slice(0, closing).trimEnd().length
  const last = parent.children?.at(-1)
  const comma = last && commaBehind(text, last)
  const property = `${JSON.stringify(at.at(-1))}: ${show(text, value, inner)}`
  const ending = comma === undefined ? '' : ','
  const withProperty = splice(
    text,
    end,
    closing,
    `${eol}${inner}${property}${ending}${eol}${outer}`,
  )
  if (last === undefined || comma !== undefined) return withProperty
  return splice(withProperty, endOf(last), endOf(last), ',')
}

/** The property with its comma, and its line where nothing else stands on it. */
function cut(text: string, at: Path): string {
  const property = find(text, at)?.parent
  const object = property?.parent
  if (property === undefined || object === undefined) return text
  const siblings = object.children ?? []
  const inside = [
    text.slice(object.offset + 1, property.offset),
    text.slice(endOf(property), endOf(object) - 1),
  ]
  if (inside.join('').trim() === '') return splice(text, object.offset, endOf(object), '{}')
  const before = siblings[siblings.indexOf(property) - 1]
  const comma = commaBehind(text, property)
  const end = comma === undefined ? endOf(property) : comma + 1
  const start = text.slice(0, property.offset).search(/[ \t]*$/)
  const lineEnd = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0]
  const isAlone = lineEnd !== undefined && text[start - 1] === '\n'
  const from = isAlone || comma === undefined ? start : property.offset
  const without = splice(text, from, isAlone ? end + lineEnd.length : end, '')
  const commaBefore = before && commaBehind(text, before)
  if (comma !== undefined || commaBefore === undefined) return without
  return splice(without, commaBefore, commaBefore + 1, '')
}

function find(text: string, at: Path): Node | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true })
  return tree && findNodeAtLocation(tree, [...at])
}

/** Where the comma stands that ends it, behind comments too. */
function commaBehind(text: string, node: Node): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(endOf(node))
  scanner.scan()
  const offset = scanner.getTokenOffset()
  return text[offset] === ',' ? offset : undefined
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function splice(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}

function show(text: string, value: unknown, indent: string): string {
  const shown = JSON.stringify(value, null, unitOf(text))
  return shown.replaceAll('\n', endOfLineOf(text) + indent)
}

/** One step of indentation, as the file has it. */
function unitOf(text: string): string {
  const first = parseTree(text)?.children?.[0]
  const indent = first && startsItsLine(text, first) ? indentAt(text, first.offset) : ''
  return indent || '  '
}

function startsItsLine(text: string, { offset }: Node): boolean {
  return /(^|\n)[ \t]*$/.test(text.slice(0, offset))
}

/** The white space with which the line at this offset begins. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
