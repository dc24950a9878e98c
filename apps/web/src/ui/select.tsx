import { type ComponentProps, useId } from 'react'
import styles from './field.module.css'
import hidden from './hidden.module.css'

export interface Choice {
  value: string
  text: string
}

interface SelectProps extends Omit<
  ComponentProps<'select'>,
  'id' | 'className' | 'children' | 'onChange'
> {
  label: string
  choices: readonly Choice[]
  hint?: string | undefined
  onChoose: (value: string) => void
  /** Next to other ones in a line: its label is smaller, and nothing is around it. */
  isSmall?: boolean
  /** It is said by a screen reader alone: what is chosen says what it is of. */
  isLabelHidden?: boolean
}

/** The browser's own list of choices: it is driven by keys, and looks on a phone as all others do there. */
export function Select({
  label,
  choices,
  hint,
  onChoose,
  isSmall = false,
  isLabelHidden = false,
  ...props
}: SelectProps) {
  const id = useId()
  return (
    <div className={isSmall ? styles['small'] : styles['field']}>
      <label className={isLabelHidden ? hidden['hidden'] : styles['label']} htmlFor={id}>
        {label}
      </label>
      <select
        {...props}
        id={id}
        className={styles['input']}
        onChange={(event) => onChoose(event.target.value)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      >
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p className={styles['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
