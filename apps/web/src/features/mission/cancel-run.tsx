import type { Objective } from '@svc/contracts/objective'
import type { FormEvent } from 'react'
import { useAction } from '../../data/actions.ts'
import { useDraft } from '../../data/use-draft.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useScene, withObjective } from './scene.ts'

const reasonCharacters = 300

/** Calls the run of an objective off, with the reason that its history keeps. */
export function CancelRun({ objective, onClose }: { objective: Objective; onClose: () => void }) {
  const { keep } = useScene()
  const draft = `cancel:${objective.id}`
  const [reason, setReason] = useDraft(draft, '')
  const cancel = useAction('cancelObjective', {
    draft,
    onDone: (answer) => {
      keep(withObjective(answer.objective))
      const pauses = answer.pausesQueue ? ` The queue ${answer.pausesQueue.name} pauses.` : ''
      toast(`${answer.alreadyFinished ? 'It had ended already.' : 'It is called off.'}${pauses}`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const said = reason.trim()
    void cancel.send({ id: objective.id, ...(said !== '' && { reason: said }) })
  }
  return (
    <Dialog title={`Call ${objective.displayId} off`} onClose={onClose}>
      <form onSubmit={submit}>
        <p>
          The agent that works on “<Text>{objective.title}</Text>” is told to end, and is ended if
          it does not. What it has committed stays.
        </p>
        <Field
          label="Reason"
          hint="It stands in the history of the mission. It may be left out."
          value={reason}
          maxLength={reasonCharacters}
          onChange={(event) => setReason(event.target.value)}
        />
        <ActionProblem of={cancel} />
        <DialogActions>
          <Button onClick={onClose}>Let it run</Button>
          <Button look="danger" type="submit" disabled={cancel.state.name === 'sending'}>
            Call it off
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
