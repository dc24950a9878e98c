import { Conflict } from './conflict.tsx'
import type { EditedParts } from './use-edited-parts.ts'

interface PartConflictProps<K extends string> {
  edited: EditedParts<K>
  part: K
  /** What people call that part. */
  what: string
  /** Its text as people compare it. */
  describe?: (text: string) => string
  /** It is settled whose text it is to be. */
  onChosen?: () => void
}

/** Where somebody else has changed the same part meanwhile: both texts, in its place. */
export function PartConflict<K extends string>(props: PartConflictProps<K>) {
  const { edited, part, what, describe = (text: string) => text, onChosen } = props
  const theirs = edited.theirs.get(part)
  if (theirs === undefined) return null
  return (
    <Conflict
      what={what}
      theirs={{ ...theirs, text: describe(theirs.text) }}
      mine={describe(edited.texts[part])}
      onKeep={() => {
        edited.keepMine(part)
        onChosen?.()
      }}
      onTake={() => {
        edited.takeTheirs(part)
        onChosen?.()
      }}
    />
  )
}
