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
  const [edited, setEdited] = useState<Edited | undefined>(() => {
    const known = drafts.begin(draft)
    return known && { text: known.text, base: known.base ?? current }
  })
  const keep = (next: Edited) => {
    setEdited(next)
    drafts.write(draft, next.text, next.base)
  }
  return {
    text: edited?.text ?? current.text,
    write: (text) => keep({ text, base: edited?.base ?? current }),
    expectedRevision: edited ? revisionToExpect(edited, current) : current.revision,
    theirs: edited && isConflict(edited, current) ? current : undefined,
    keepMine: () => {
      if (edited) keep({ text: edited.text, base: current })
      return current.revision
    },
    leave: () => {
      setEdited(undefined)
      drafts.drop(draft)
    },
  }
}

/** What was refused, as it would go out now. */
interface Refused {
  /** Of what is shown. */
  revision: number
  /** Somebody has to choose whose text it is to be. */
  isInConflict: boolean
  send: () => void
}

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
  useEffect(() => {
    if (!refused || !again || seen.current === refused) return
    if (again.revision < Number(refused.details?.['currentRevision'])) return
    seen.current = refused
    if (!again.isInConflict) again.send()
  })
  return () => state.name === 'refused' && dismiss()
}
