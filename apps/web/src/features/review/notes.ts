/** What somebody says of a line, or of a whole file, before they have decided. */
export interface Note {
  path: string
  /** Of the file as it is now, or as it was where the line is gone; none for the file as a whole. */
  line?: number
  isGone?: boolean
  text: string
}

export type NotePlace = Omit<Note, 'text'>

export function isAt(one: NotePlace, { path, line, isGone = false }: NotePlace): boolean {
  return one.path === path && one.line === line && (one.isGone ?? false) === isGone
}

/** With what is said there now; an empty text takes the note away. */
export function noteSet(notes: readonly Note[], place: NotePlace, text: string): Note[] {
  const note = { ...place, text }
  if (text === '') return notes.filter((one) => !isAt(one, place))
  if (notes.some((one) => isAt(one, place))) {
    return notes.map((one) => (isAt(one, place) ? note : one))
  }
  return [...notes, note]
}

/** Those that are left once some were sent: of another place, or written anew since. */
export function notesWithout(notes: readonly Note[], sent: readonly Note[]): Note[] {
  return notes.filter((note) => !sent.some((one) => isAt(one, note) && one.text === note.text))
}

export function parseNotes(text: string | undefined): Note[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isNote) : []
  } catch {
    return []
  }
}

function isNote(value: unknown): value is Note {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'text' in value &&
    typeof value.text === 'string'
  )
}

export function placeWords({ path, line, isGone }: NotePlace): string {
  if (line === undefined) return path
  return `${path}:${line}${isGone ? ' (removed)' : ''}`
}

/** All notes as one instruction: file by file in the order in which these were read, each from its top to its end. */
export function instructionOf(notes: readonly Note[], order: readonly string[] = []): string {
  const placeOf = ({ path }: Note) => {
    const place = order.indexOf(path)
    return place === -1 ? order.length : place
  }
  return notes
    .filter(({ text }) => text.trim() !== '')
    .toSorted(
      (one, other) =>
        placeOf(one) - placeOf(other) ||
        (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) ||
        (one.line ?? 0) - (other.line ?? 0),
    )
    .map(sentence)
    .join('\n')
}

/** The instruction as it was left, with those notes that came after it; what has been written is not touched. */
export function withMissing(left: string, notes: readonly Note[], order: readonly string[]) {
  if (left.trim() === '') return instructionOf(notes, order)
  const missing = notes.filter((note) => !left.includes(sentence(note)))
  const more = instructionOf(missing, order)
  return more === '' ? left : `${left.trimEnd()}\n${more}`
}

/** The lines of a note after its first are set off, so that each `path:line:` begins one. */
function sentence(note: Note): string {
  return `${placeWords(note)}: ${note.text.trim().replaceAll('\n', '\n  ')}`
}
