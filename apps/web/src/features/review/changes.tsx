import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { IdLink } from '../../shell/link.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Area } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { counted } from '../../words/counted.ts'
import styles from './decision.module.css'
import { withMissing } from './notes.ts'
import type { Delivery } from './story.ts'
import type { Notes } from './use-notes.ts'

interface ChangesProps {
  mission: Mission
  delivery: Delivery
  notes: Notes
  order: readonly string[]
  onClose: () => void
}

/** All notes as one instruction, to edit: the next objective of the mission. */
export function ChangesDialog({ mission, delivery, notes, order, onClose }: ChangesProps) {
  const { drafts, rights } = useWorkspace()
  const draft = `changes:${mission.id}`
  const [initial] = useState(() => {
    const left = drafts.read(draft)?.text ?? ''
    const text = withMissing(left, notes.all, order)
    if (left !== '') drafts.write(draft, text)
    return text
  })
  const [text, setText] = useDraft(draft, initial, { makesNew: true })
  const [isLaunching, setLaunching] = useState(false)
  const [added, setAdded] = useState<Objective>()
  // an agent is known where a run delivered
  const mayLaunch = rights.mayCall('launchObjective') && delivery.executionRequestId !== null
  const launch = useAction('launchObjective', {
    onDone: ({ objective }) => {
      toast(`${objective.displayId} is queued`)
      onClose()
    },
  })
  const ask = useAction('askForChanges', {
    draft,
    onDone: ({ objective }) => {
      notes.clear()
      if (!isLaunching || objective.assigned_agent === null) {
        toast(`${objective.displayId} is added`)
        return onClose()
      }
      setAdded(objective)
      begin(objective)
    },
  })
  const begin = ({ id, assigned_agent: agent }: Objective) => {
    if (agent !== null) void launch.send({ id, agent })
  }
  const isSending = ask.state.name === 'sending' || launch.state.name === 'sending'
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isSending || added || text.trim() === '') return
    void ask.send({ id: mission.id, instruction: text })
  }
  useKeys([{ keys: 'Mod+Enter', run: () => submit() }])
  if (added) {
    return (
      <Dialog title="Ask for changes" onClose={onClose} isSheet>
        <p>
          It is added as <IdLink id={added.displayId} />
          {isSending ? ', and is about to be launched.' : '.'}
        </p>
        <ActionProblem of={launch} />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          {launch.state.name === 'refused' && (
            <Button look="first" onClick={() => begin(added)}>
              Launch it
            </Button>
          )}
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog title="Ask for changes" onClose={onClose} isSheet>
      <form onSubmit={submit} className={styles['form']}>
        <Area
          label="What is to be different"
          hint={
            notes.all.length > 0
              ? `Made of ${counted(notes.all.length, 'note')}; what you change here is sent as it stands.`
              : 'A note on a line of the diff comes here by itself.'
          }
          value={text}
          onChange={(event) => setText(event.target.value)}
          required
          rows={12}
          maxLength={limits.instructionCharacters}
        />
        {mayLaunch && (
          <label className={styles['tick']}>
            <input
              type="checkbox"
              checked={isLaunching}
              onChange={(event) => setLaunching(event.target.checked)}
            />
            Launch it at once, as the last run was launched
          </label>
        )}
        <ActionProblem of={ask} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={isSending}>
            {isLaunching ? 'Add and launch' : 'Add objective'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
