import { type ReactNode, useId } from 'react'
import styles from './field.module.css'

interface CheckProps {
  children: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  hint?: string
  /** The same where there is no room for it. */
  title?: string
}

/** Something that is on or off. */
export function Check({ children, checked, onChange, disabled = false, hint, title }: CheckProps) {
  const id = useId()
  return (
    <div className={styles['check']}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        title={title}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <label htmlFor={id} title={title}>
        {children}
      </label>
      {hint !== undefined && (
        <p className={styles['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
