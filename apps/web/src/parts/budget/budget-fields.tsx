import { Field } from '../../ui/field.tsx'
import type { Bounds } from './bounds.ts'

interface BudgetFieldsProps {
  bounds: Bounds
  onChange: (bounds: Bounds) => void
}

/** What the runs of a mission may use before nothing more of it is launched. */
export function BudgetFields({ bounds, onChange }: BudgetFieldsProps) {
  return (
    <>
      <Field
        label="Budget in dollars"
        hint="Nothing more of the mission is launched once it is used up. Empty: no bound."
        inputMode="decimal"
        value={bounds.usd}
        onChange={(event) => onChange({ ...bounds, usd: event.target.value })}
      />
      <Field
        label="Budget in tokens"
        inputMode="numeric"
        pattern="[0-9]*"
        value={bounds.tokens}
        onChange={(event) => onChange({ ...bounds, tokens: event.target.value })}
      />
      <Field
        label="Budget in runs"
        inputMode="numeric"
        pattern="[0-9]*"
        value={bounds.runs}
        onChange={(event) => onChange({ ...bounds, runs: event.target.value })}
      />
    </>
  )
}
