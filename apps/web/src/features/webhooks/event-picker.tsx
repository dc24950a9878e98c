import { useRef } from 'react'
import { eventTypes, limits } from '../../data/contracts.values.ts'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/check.tsx'
import { Field } from '../../ui/field.tsx'
import { Text } from '../../ui/text.tsx'
import { eventTypeWords } from '../../words/webhooks.ts'
import { type WebhookForm, isOffered, withEvent } from './form.ts'
import styles from './webhooks.module.css'

interface EventPickerProps {
  form: WebhookForm
  problem: string | undefined
  onChange: (form: WebhookForm) => void
  /** What is written by hand is to be one of them. */
  onAdd: () => void
}

/** The events of the service to choose from, and any of an extension by its name: of these none is suggested. */
export function EventPicker({ form, problem, onChange, onAdd }: EventPickerProps) {
  const typed = useRef<HTMLInputElement>(null)
  const added = form.eventTypes.filter((type) => !isOffered(type))
  return (
    <fieldset className={styles['events']}>
      <legend>Events</legend>
      {eventTypes.map((type) => (
        <Check
          key={type}
          checked={form.eventTypes.includes(type)}
          hint={eventTypeWords[type]}
          onChange={(isWanted) => onChange(withEvent(form, type, isWanted))}
        >
          <code>{type}</code>
        </Check>
      ))}
      {added.map((type) => (
        <Check
          key={type}
          checked
          onChange={() => {
            onChange(withEvent(form, type, false))
            typed.current?.focus()
          }}
        >
          <Text>{type}</Text>
        </Check>
      ))}
      <div className={styles['add']}>
        <Field
          ref={typed}
          label="Another event"
          hint="Of an extension, as namespace:name."
          problem={problem}
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.titleCharacters}
          value={form.typed}
          onChange={(event) => onChange({ ...form, typed: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || form.typed.trim() === '') return
            event.preventDefault()
            onAdd()
          }}
        />
        <Button onClick={onAdd}>Add</Button>
      </div>
    </fieldset>
  )
}
