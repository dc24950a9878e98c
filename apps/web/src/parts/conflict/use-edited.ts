import { RefusedError } from '@svc/client/errors'
import type { RouteName } from '@svc/contracts/rest'
import { useEffect, useRef, useState } from 'react'
import type { Action } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { type Current, type Edited, isConflict, revisionToExpect } from './edited.ts'

export interface EditedText {
  text: string
  write: (text: string) => void
  /** With the revision that it goes on top of. */
  expectedRevision: number
  /** What somebody else has written meanwhile. */
  theirs: Current | undefined
  /** From here on what is written here goes on top of theirs; answers the revision to send it with. */
  keepMine: () => number
  /** What is written here is given up. */
  leave: () => void
}

/** A text that is edited here and may be changed by others meanwhile; kept as a draft with what it was begun on. */
export function useEdited(draft: string, current: Current): EditedText {
  const { drafts } = useWorkspace()
  const [written, setWritten] = useState<Edited | undefined>(() => {
    const known = drafts.begin(draft)
    return known && { text: known.text, base: known.base ?? current }
  })
  const edited = changeOf(written)
  // what is written in the same turn as another text was chosen goes on top of that one
  const latest = useRef(written)
  const keep = (next: Edited) => {
    latest.current = next
    setWritten(next)
    drafts.write(draft, next.text, next.base)
  }
  const leave = () => {
    latest.current = undefined
    setWritten(undefined)
    drafts.drop(draft)
  }
  return {
    text: edited?.text ?? current.text,
    write: (text) => {
      const base = changeOf(latest.current)?.base ?? current
      if (text === base.text) leave()
      else keep({ text, base })
    },
    expectedRevision: edited ? revisionToExpect(edited, current) : current.revision,
    theirs: edited && isConflict(edited, current) ? current : undefined,
    keepMine: () => {
      if (edited) keep({ text: edited.text, base: current })
      return current.revision
    },
    leave,
  }
}

/** What is written back to what it was is no change of anybody's. */
function changeOf(written: Edited | undefined): Edited | undefined {
  return written && written.text !== written.base.text ? written : undefined
}

/** What was refused, as it would go out now. */
interface Refused {
  /** Of what was read. */
  revision: number
  /** It is what was sent, and nobody has to choose between it and what others have written. */
  mayGoOut: () => boolean
  send: () => void
}

/** Where others go on changing the thing, a person is told in the end. */
export const mostResends = 3

/**
 * A refusal says that there is something newer, which the feed may not have told yet: it is read. Where that is something
 * else than what is written here, this goes out again on top of it. Answers what takes the refusal away, once somebody has
 * chosen between the two.
 */
export function useRereadOnMismatch<N extends RouteName>(
  { state, dismiss }: Action<N>,
  again?: Refused,
): () => void {
  const { queries } = useWorkspace()
  const refused =
    state.name === 'refused' &&
    state.error instanceof RefusedError &&
    state.error.code === 'revision_mismatch'
      ? state.error
      : undefined
  useEffect(() => {
    if (refused) void queries.invalidateQueries()
  }, [queries, refused])
  const seen = useRef<RefusedError>(undefined)
  const resends = useRef(0)
  useEffect(() => {
    if (!refused || !again || seen.current === refused) return
    const { currentRevision } = refused.details ?? {}
    if (typeof currentRevision !== 'number' || again.revision < currentRevision) return
    seen.current = refused
    if (resends.current >= mostResends || !again.mayGoOut()) return
    resends.current += 1
    again.send()
  })
  return () => state.name === 'refused' && dismiss()
}
