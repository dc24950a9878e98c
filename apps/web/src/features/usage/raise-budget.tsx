import type { Mission } from '@svc/contracts/mission'
import { type FormEvent, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { boundsOf, budgetOf } from '../../parts/budget/bounds.ts'
import { BudgetFields } from '../../parts/budget/budget-fields.tsx'
import { Conflict } from '../../parts/conflict/conflict.tsx'
import { useEdited, useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { describeBounds, readBounds, writeBounds } from './bounds-draft.ts'

interface RaiseBudgetProps {
  mission: Mission
  onClose: () => void
}

/** A budget of a mission, to be set anew: what was refused by the old one may be launched then. */
export function RaiseBudget({ mission, onClose }: RaiseBudgetProps) {
  const draft = `budget:${mission.id}`
  const current = {
    revision: mission.revision,
    text: writeBounds(boundsOf(mission.budget)),
  }
  const edited = useEdited(draft, current)
  const bounds = readBounds(edited.text)
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const update = useAction('updateMission', {
    draft,
    onDone: (answer) => {
      edited.leave()
      toast('Saved')
      if (answer.warnings.length === 0) onClose()
      else setWarnings(answer.warnings.map(({ message }) => message))
    },
  })
  const leave = () => {
    edited.leave()
    onClose()
  }
  const form = useRef<HTMLFormElement>(null)
  const send = (expectedRevision: number) => {
    // what is no number would be sent as no bound at all
    if (form.current?.reportValidity() === false) return
    if (edited.text === current.text) return leave()
    void update.send({ id: mission.id, expectedRevision, budget: budgetOf(bounds) })
  }
  useRereadOnMismatch(update, {
    revision: mission.revision,
    isInConflict: edited.theirs !== undefined,
    send: () => send(edited.expectedRevision),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (edited.theirs === undefined) send(edited.expectedRevision)
  }
  return (
    <Dialog title={`Budget of ${mission.displayId}`} onClose={onClose}>
      <form ref={form} onSubmit={submit}>
        <BudgetFields bounds={bounds} onChange={(next) => edited.write(writeBounds(next))} />
        {warnings.map((warning) => (
          <Notice key={warning} tone="caution">
            <Text>{warning}</Text>
          </Notice>
        ))}
        {edited.theirs ? (
          <Conflict
            theirs={{ ...edited.theirs, text: describeBounds(readBounds(edited.theirs.text)) }}
            mine={describeBounds(bounds)}
            onKeep={() => send(edited.keepMine())}
            onTake={leave}
          />
        ) : (
          <ActionProblem of={update} />
        )}
        <DialogActions>
          <Button onClick={leave}>{warnings.length === 0 ? 'Discard' : 'Close'}</Button>
          <Button
            look="first"
            type="submit"
            disabled={update.state.name === 'sending' || edited.theirs !== undefined}
          >
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
