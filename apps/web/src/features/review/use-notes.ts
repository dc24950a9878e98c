import { useCallback, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { type Note, type NotePlace, noteSet, notesWithout, parseNotes } from './notes.ts'

export interface Notes {
  all: readonly Note[]
  /** Whoever may not ask for changes has nobody to write one for. */
  mayWrite: boolean
  /** Kept at once; an empty text takes the note away. */
  set: (place: NotePlace, text: string) => void
  /** They have become an instruction; those of another tab that were in none stay. */
  clear: () => void
}

/** The notes on a mission's work, as a draft of whoever reviews it. Another tab may have added some. */
export function useNotes(missionId: string): Notes {
  const { drafts, rights } = useWorkspace()
  const field = `notes:${missionId}`
  const [all, setAll] = useState(() => parseNotes(drafts.begin(field)?.text))
  const set = useCallback(
    (place: NotePlace, text: string) => {
      const next = noteSet(parseNotes(drafts.begin(field)?.text), place, text)
      drafts.write(field, next.length === 0 ? '' : JSON.stringify(next))
      setAll(next)
    },
    [drafts, field],
  )
  const clear = useCallback(() => {
    const left = notesWithout(parseNotes(drafts.begin(field)?.text), all)
    drafts.write(field, left.length === 0 ? '' : JSON.stringify(left))
    setAll(left)
  }, [drafts, field, all])
  return { all, mayWrite: rights.mayCall('askForChanges'), set, clear }
}
