import { useEffect, useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { dayIn } from './filters.ts'

interface DayFieldProps {
  label: string
  value: string
  onDay: (day: string) => void
}

/** A day, or none. One whose year is still being written is none yet, and is not taken away meanwhile. */
export function DayField({ label, value, onDay }: DayFieldProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <Field
      label={label}
      isSmall
      type="date"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        if (dayIn(target.value) === target.value) onDay(target.value)
      }}
    />
  )
}
