import { type ReactNode, useId } from 'react'
import styles from './field.module.css'

interface CheckProps {
  children: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  hint?: string
}

/** Something that is on or off. */
export function Check({ children, checked, onChange, disabled = false, hint }: CheckProps) {
  const id = useId()
  return (
    <div className={styles['check']}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <label htmlFor={id}>{children}</label>
      {hint !== undefined && (
        <p className={styles['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
