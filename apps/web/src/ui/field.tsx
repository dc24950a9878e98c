import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'
import { Text } from './text.tsx'
import { useMost } from './use-most.ts'

interface FieldProps {
  label: string
  hint?: string | undefined
}

interface InputProps extends Omit<ComponentProps<'input'>, 'id' | 'className'>, FieldProps {
  /** Why what it holds will not do. */
  problem?: string | undefined
  /** Next to other ones in a line: its label is smaller, and nothing is around it. */
  isSmall?: boolean
}

/** A field of one line with its label; what its form does with it is the form's affair. */
export function Field({ label, hint, problem, isSmall = false, maxLength, ...props }: InputProps) {
  const id = useId()
  // what is looked for is no text of anybody's
  const isCut = props.type === 'search'
  const tooLong = useMost(id, props.value, isCut ? undefined : maxLength)
  const about = { id, hint, problem: problem ?? tooLong }
  return (
    <Labelled label={label} isSmall={isSmall} {...about}>
      <input
        {...props}
        {...(isCut && { maxLength })}
        id={id}
        className={styles['input']}
        {...describedBy(about)}
      />
    </Labelled>
  )
}

interface AreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className'>, FieldProps {}

/** A field of several lines with its label. */
export function Area({ label, hint, maxLength, ...props }: AreaProps) {
  const id = useId()
  const about = { id, hint, problem: useMost(id, props.value, maxLength) }
  return (
    <Labelled label={label} {...about}>
      <textarea {...props} id={id} className={styles['input']} {...describedBy(about)} />
    </Labelled>
  )
}

interface About {
  id: string
  hint: string | undefined
  problem: string | undefined
}

function describedBy({ id, hint, problem }: About) {
  const said = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ]
  return {
    'aria-invalid': problem === undefined ? undefined : (true as const),
    'aria-describedby': said.length === 0 ? undefined : said.join(' '),
  }
}

interface LabelledProps extends About {
  label: string
  isSmall?: boolean
  children: ReactNode
}

function Labelled({ id, label, hint, problem, isSmall = false, children }: LabelledProps) {
  return (
    <div className={isSmall ? styles['small'] : styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      {children}
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
