import { useState } from 'react'
import type { Drafts } from '../../data/drafts.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { Current } from './edited.ts'
import {
  type CurrentParts,
  type WrittenParts,
  changedParts,
  currentOf,
  partsInConflict,
  settleParts,
  withoutPart,
  writePart,
} from './edited-parts.ts'

export interface EditedParts<K extends string> {
  texts: Readonly<Record<K, string>>
  write: (part: K, text: string) => void
  /** Those that are written otherwise than they stand. */
  changed: readonly K[]
  /** Of the parts that somebody else has changed meanwhile, what stands there now. */
  theirs: ReadonlyMap<K, Current>
  /** From here on what is written of that part goes on top of theirs. */
  keepMine: (part: K) => void
  takeTheirs: (part: K) => void
  /** All that is written is given up. */
  leave: () => void
  /** These texts are all that is written still, and nobody has to choose. */
  mayGoOut: (sent: ReadonlyMap<K, string>) => boolean
  /** These texts are saved, and stand so. */
  settle: (sent: ReadonlyMap<K, string>, saved: CurrentParts<K>) => void
}

/**
 * Parts of one thing, such as the settings of a project, each a draft of its own: what others change of the parts that are
 * left alone here is shown as they left it, and only the same part changed by both is a conflict.
 */
export function useEditedParts<K extends string>(
  draft: string,
  current: CurrentParts<K>,
): EditedParts<K> {
  const { drafts } = useWorkspace()
  // the keys of an object that has these
  const parts = Object.keys(current.texts) as K[]
  const nameOf = (part: K) => `${draft}:${part}`
  const [written, setWritten] = useState<WrittenParts<K>>(
    () =>
      new Map(
        parts.flatMap((part) => {
          const known = drafts.begin(nameOf(part))
          if (known === undefined) return []
          const { text, base = currentOf(current, part) } = known
          return [[part, { text, base }]]
        }),
      ),
  )
  const set = (next: WrittenParts<K>) => {
    setWritten(next)
    for (const part of parts) {
      const edited = next.get(part)
      const before = written.get(part)
      // what a form that was opened since has written is not of this one
      if (edited === undefined) {
        if (before && drafts.read(nameOf(part))?.text === before.text) drafts.drop(nameOf(part))
      } else if (edited !== before) drafts.write(nameOf(part), edited.text, edited.base)
    }
  }
  const texts: Record<K, string> = { ...current.texts }
  for (const [part, { text }] of written) texts[part] = text
  const changed = changedParts(written, current)
  const inConflict = partsInConflict(written, current)
  return {
    texts,
    changed,
    theirs: new Map(inConflict.map((part) => [part, currentOf(current, part)])),
    mayGoOut: (sent) =>
      inConflict.length === 0 &&
      changed.every((part) => sent.has(part)) &&
      [...sent].every(([part, text]) => texts[part] === text),
    write: (part, text) => set(writePart(written, current, { part, text })),
    keepMine: (part) =>
      set(new Map(written).set(part, { text: texts[part], base: currentOf(current, part) })),
    takeTheirs: (part) => set(withoutPart(written, part)),
    leave: () => set(new Map()),
    settle: (sent, saved) => set(settleParts(written, sent, saved)),
  }
}

/** Whether anything of these parts was left here before it was saved. */
export function hasDraft(
  drafts: Pick<Drafts, 'read'>,
  draft: string,
  parts: readonly string[],
): boolean {
  return parts.some((part) => drafts.read(`${draft}:${part}`) !== undefined)
}
