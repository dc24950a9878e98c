import { useCallback, useState } from 'react'
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
