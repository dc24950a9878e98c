import { useCallback, useState } from 'react'
import { type Form, changesFrom, readChanges, writeChanges } from './changes.ts'
import { useWorkspace } from './use-workspace.ts'

/** The text of a field, as it was left here if it was not taken yet; else `initial`. */
export function useDraft(field: string, initial: string): [string, (text: string) => void] {
  const { drafts } = useWorkspace()
  const [text, setText] = useState(() => drafts.read(field)?.text ?? initial)
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
): [F, (more: Partial<F>) => void] {
  const { drafts } = useWorkspace()
  const [initial] = useState(begin)
  const [changes, setChanges] = useState(() => readChanges(initial, drafts.read(field)?.text))
  const change = (more: Partial<F>) => {
    const next = changesFrom(initial, { ...changes, ...more })
    setChanges(next)
    // the values of a part of a form are those of a form
    drafts.write(field, writeChanges(next as Form))
  }
  return [{ ...initial, ...changes }, change]
}
