import Table from 'cli-table3'
import { localTime } from './local-time.ts'
import { oneLine, paint } from './terminal.ts'

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}
const plain = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true }

type Cell = string | number | boolean | null | undefined

/** Columns by two spaces, a dim head, each row on one line. */
export function table(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  stream: NodeJS.WritableStream,
): string {
  const result = new Table({
    head: head.map((name) => paint('dim', name, stream)),
    chars: noBorders,
    style: plain,
  })
  result.push(...rows.map((row) => row.map(cellText)))
  return withoutTrailingSpace(result.toString())
}

/** Names and values below each other; what has no value is left out. */
export function details(fields: Record<string, Cell>, stream: NodeJS.WritableStream): string {
  const result = new Table({ chars: noBorders, style: plain })
  const given = Object.entries(fields).filter(([, value]) => value != null && value !== '')
  result.push(...given.map(([name, value]) => [paint('dim', name, stream), cellText(value)]))
  return withoutTrailingSpace(result.toString())
}

/** Times are those of this machine: a table is for people, and JSON for programs. */
function cellText(value: Cell): string {
  return value == null || value === '' ? '-' : oneLine(localTime(String(value)))
}

function withoutTrailingSpace(text: string): string {
  return text.replace(/[ \t]+$/gm, '')
}
