import { type ComponentProps, useId } from 'react'
import styles from './field.module.css'
import { Text } from './text.tsx'

interface AreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className'> {
  label: string
  hint?: string | undefined
  /** Why what it holds will not do. */
  problem?: string | undefined
}

/** A field of several lines with its label; what its form does with it is the form's affair. */
export function Area({ label, hint, problem, ...props }: AreaProps) {
  const id = useId()
  const said = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ]
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      <textarea
        {...props}
        id={id}
        className={styles['input']}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={said.length === 0 ? undefined : said.join(' ')}
      />
      {problem !== undefined && (
        <p className={styles['problem']} id={`${id}-problem`}>
          <Text>{problem}</Text>
        </p>
      )}
      {hint !== undefined && (
        <p className={styles['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
