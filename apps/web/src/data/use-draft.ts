import { useCallback, useEffect, useState } from 'react'
import { type Form, changesFrom, readChanges, writeChanges } from './changes.ts'
import { useWorkspace } from './use-workspace.ts'

export interface DraftTextOptions {
  /** Each send of it makes one more: once another tab has sent this text, it is not left here to be sent again. */
  makesNew?: boolean
}

/** The text of a field, as it was left here if it was not taken yet; else `initial`. */
export function useDraft(
  field: string,
  initial: string,
  { makesNew = initial === '' }: DraftTextOptions = {},
): [string, (text: string) => void] {
  const { drafts } = useWorkspace()
  const [text, setText] = useState(() => drafts.begin(field)?.text ?? initial)
  useEffect(
    () => (makesNew ? drafts.onDropped(field, () => setText('')) : undefined),
    [drafts, field, makesNew],
  )
  const write = useCallback(
    (next: string) => {
      setText(next)
      drafts.write(field, next)
    },
    [drafts, field],
  )
  return [text, write]
}

/** The same of several fields that are sent together: what is changed of them is one draft. */
export function useDraftForm<F extends Form>(
  field: string,
  begin: () => F,
  { makesNew = false }: DraftTextOptions = {},
): [F, (more: Partial<F>) => void] {
  const { drafts } = useWorkspace()
  const [initial] = useState(begin)
  const [changes, setChanges] = useState(() => readChanges(initial, drafts.begin(field)?.text))
  useEffect(
    () => (makesNew ? drafts.onDropped(field, () => setChanges({})) : undefined),
    [drafts, field, makesNew],
  )
  const change = (more: Partial<F>) => {
    const next = changesFrom(initial, { ...changes, ...more })
    setChanges(next)
    // the values of a part of a form are those of a form
    drafts.write(field, writeChanges(next as Form))
  }
  return [{ ...initial, ...changes }, change]
}
