import { type RefObject, useEffect, useRef, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { hasDraft } from '../../parts/conflict/use-edited-parts.ts'

interface Editing {
  isEditing: boolean
  /** Somebody has just asked for it: it takes the focus, which a form that is found open does not. */
  isAsked: boolean
  edit: () => void
  end: () => void
  /** What begins it, and has the focus once it is over. */
  button: RefObject<HTMLButtonElement | null>
}

/** A form in place of what it is about: open from the start where something was left in it. */
export function useEditing(draft: string, parts: readonly string[], may: boolean): Editing {
  const { drafts } = useWorkspace()
  const [isEditing, set] = useState(() => may && hasDraft(drafts, draft, parts))
  const [isAsked, ask] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const was = useRef(isEditing)
  useEffect(() => {
    if (was.current && !isEditing) button.current?.focus({ preventScroll: true })
    was.current = isEditing
  }, [isEditing])
  const edit = () => {
    ask(true)
    set(true)
  }
  return { isEditing, isAsked, edit, end: () => set(false), button }
}
