/** A text that is being written, with what stood there when that began. */
export interface Edited {
  text: string
  base: { revision: number; text: string }
}

interface Current {
  revision: number
  instruction: string
}

/** Somebody else has changed the same text meanwhile, to something else than what is written here. */
export function isConflict({ text, base }: Edited, current: Current): boolean {
  return (
    current.revision > base.revision &&
    current.instruction !== base.text &&
    current.instruction !== text
  )
}

/** Where others have changed something else alone, what is written here goes on top of that. */
export function revisionToExpect({ base }: Edited, current: Current): number {
  return current.instruction === base.text
    ? Math.max(current.revision, base.revision)
    : base.revision
}
