import { type RefObject, useId } from 'react'
import { useKeys } from '../../shell/use-keys.ts'
import field from '../../ui/field.module.css'
import hidden from '../../ui/hidden.module.css'

interface FindFileProps {
  text: string
  onText: (text: string) => void
  /** Opens the first of those that were found. */
  onOpen: () => void
  /** The focus goes on to the list. */
  onLeave: () => void
  input: RefObject<HTMLInputElement | null>
}

/** By the words of its path; the browser finds those alone that can be seen. */
export function FindFile({ text, onText, onOpen, onLeave, input }: FindFileProps) {
  const id = useId()
  useKeys([{ keys: 'f', does: 'find a file', run: () => input.current?.focus() }])
  return (
    <div>
      <label className={hidden['hidden']} htmlFor={id}>
        Find a file
      </label>
      <input
        ref={input}
        id={id}
        type="search"
        className={field['input']}
        placeholder="Find a file"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onOpen()
          else if (event.key === 'Escape') onText('')
          else return
          event.preventDefault()
          onLeave()
        }}
      />
    </div>
  )
}
