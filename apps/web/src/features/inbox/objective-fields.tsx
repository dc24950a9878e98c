import { limits } from '../../data/contracts.values.ts'
import { Button } from '../../ui/button.tsx'
import { Area } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './inbox.module.css'
import { type TurnForm, mostObjectives, withObjective, withoutObjective } from './turn-form.ts'

interface ObjectiveFieldsProps {
  form: TurnForm
  onWrite: (form: TurnForm) => void
}

/** What is to be done, in the order in which it is launched. */
export function ObjectiveFields({ form, onWrite }: ObjectiveFieldsProps) {
  const { objectives } = form
  return (
    <>
      {objectives.map((instruction, at) => (
        // they are told apart by their places alone
        <div key={at} className={styles['objective']}>
          <Area
            label={`Objective ${at + 1}`}
            hint={at === 0 ? 'In Markdown. It may be left for later.' : undefined}
            rows={4}
            maxLength={limits.instructionCharacters}
            value={instruction}
            onChange={(event) => onWrite(withObjective(form, at, event.target.value))}
          />
          {objectives.length > 1 && (
            <Button look="bare" onClick={() => onWrite(withoutObjective(form, at))}>
              Leave out objective {at + 1}
            </Button>
          )}
        </div>
      ))}
      {objectives.length < mostObjectives && (
        <Button look="bare" onClick={() => onWrite({ ...form, objectives: [...objectives, ''] })}>
          <Icon name="plus" /> Another objective
        </Button>
      )}
    </>
  )
}
