/** A text that is being written, with what stood there when that began. */
export interface Edited {
  text: string
  base: { revision: number; text: string }
}

/** The same text as the service has it. */
export interface Current {
  revision: number
  text: string
}

/** Somebody else has changed the same text meanwhile, to something else than what is written here. */
export function isConflict({ text, base }: Edited, current: Current): boolean {
  return (
    current.revision > base.revision &&
    text !== base.text &&
    current.text !== base.text &&
    current.text !== text
  )
}

/** Where others have changed something else alone, or to the same text, what is written here goes on top of that. */
export function revisionToExpect({ text, base }: Edited, current: Current): number {
  const losesNothing = current.text === base.text || current.text === text
  return losesNothing ? Math.max(current.revision, base.revision) : base.revision
}
