import type { FormEvent } from 'react'
import { useAction } from '../../data/actions.ts'
import { useDraft } from '../../data/use-draft.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'

const reasonCharacters = 300

/** Cancels a run, with the reason that the history of its mission keeps. */
export function CancelRun({ id, onClose }: { id: string; onClose: () => void }) {
  const draft = `cancel-run:${id}`
  const [reason, setReason] = useDraft(draft, '')
  const cancel = useAction('cancelExecutionRequest', {
    draft,
    onDone: ({ alreadyFinished, pausesQueue }) => {
      const pauses = pausesQueue ? ` The queue ${pausesQueue.name} pauses.` : ''
      toast(`${alreadyFinished ? 'It had ended already.' : 'It is called off.'}${pauses}`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const said = reason.trim()
    void cancel.send({ id, ...(said !== '' && { reason: said }) })
  }
  return (
    <Dialog title="Cancel this run" onClose={onClose}>
      <form onSubmit={submit}>
        <p>
          Its agent is told to end, and is ended if it does not. What it has committed stays, and
          its objective can be launched again.
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
            Cancel the run
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
