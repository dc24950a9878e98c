import { type ComponentProps, useId } from 'react'
import { useDraft } from '../data/use-draft.ts'
import styles from './field.module.css'
import { Text } from './text.tsx'

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
export function Field({ label, hint, problem, isSmall = false, ...props }: InputProps) {
  const id = useId()
  const said = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ]
  return (
    <div className={isSmall ? styles['small'] : styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      <input
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

interface AreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className'>, FieldProps {}

/** A field of several lines with its label. */
export function Area({ label, hint, ...props }: AreaProps) {
  const id = useId()
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      <textarea
        {...props}
        id={id}
        className={styles['input']}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && (
        <p className={styles['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface DraftFieldProps extends Omit<AreaProps, 'value' | 'onChange'> {
  /** Names the draft within the workspace, such as `answer:<question>`. */
  draft: string
  /** What it holds where there is no draft. */
  initial?: string
  onText?: (text: string) => void
}

/** A field whose text outlives reload, refusal and sign-out, until the service has answered. */
export function DraftField({ draft, initial = '', onText, ...props }: DraftFieldProps) {
  const [text, setText] = useDraft(draft, initial)
  return (
    <Area
      {...props}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onText?.(event.target.value)
      }}
    />
  )
}
