import type { NotePlace } from './notes.ts'
import type { DiffRow } from './patch.ts'

/** Of the button of a line. */
export const lineId = (index: number) => `line-${index}`

/** Where a note on a line belongs; none where that is no line of the file. */
export function placeOf(path: string, row: DiffRow | undefined): NotePlace | undefined {
  if (row?.type === 'removed') return { path, line: row.before, isGone: true }
  if (row?.type === 'added' || row?.type === 'same') return { path, line: row.after }
  return undefined
}

/** The next of its lines in that direction, or where one is at the last. */
export function nextLine(
  rows: readonly DiffRow[],
  from: number | undefined,
  by: 1 | -1,
): number | undefined {
  let at = from === undefined ? (by > 0 ? 0 : rows.length - 1) : from + by
  while (rows[at] !== undefined && placeOf('', rows[at]) === undefined) at += by
  return rows[at] === undefined ? from : at
}
