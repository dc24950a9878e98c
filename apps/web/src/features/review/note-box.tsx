import { useEffect, useId, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './diff.module.css'
import { type NotePlace, placeWords } from './notes.ts'

interface NoteBoxProps {
  place: NotePlace
  text: string
  isEditing: boolean
  onEdit: () => void
  /** An empty one takes the note away. */
  onText: (text: string) => void
  onClose: () => void
}

/** A note below what it is about. It is kept as it is typed, and sent by nobody but its writer. */
export function NoteBox({ place, text, isEditing, onEdit, onText, onClose }: NoteBoxProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isEditing) field.current?.focus()
  }, [isEditing])
  if (!isEditing) {
    return (
      <div className={`${styles['noteBox']} ${styles['saved']}`}>
        <p className={styles['noteText']}>
          <Text>{text}</Text>
        </p>
        <div className={styles['noteActions']}>
          <Button look="bare" onClick={onEdit} aria-label={`Edit the note on ${placeWords(place)}`}>
            Edit
          </Button>
          <Button
            look="bare"
            onClick={() => onText('')}
            aria-label={`Remove the note on ${placeWords(place)}`}
          >
            Remove
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className={styles['noteBox']}>
      <label htmlFor={id}>
        Note on <Text>{placeWords(place)}</Text>
      </label>
      <textarea
        ref={field}
        id={id}
        className={styles['noteField']}
        rows={3}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          const isDone = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          if (event.key !== 'Escape' && !isDone) return
          event.preventDefault()
          onClose()
        }}
      />
      <div className={styles['noteActions']}>
        <span className={styles['kept']}>Kept as a draft</span>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  )
}
