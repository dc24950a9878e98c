import type { Mission } from '@svc/contracts/mission'
import { useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { boundsOf, budgetOf } from '../../parts/budget/bounds.ts'
import { BudgetFields } from '../../parts/budget/budget-fields.tsx'
import { EditedForm } from '../../parts/conflict/edited-form.tsx'
import { useEdited } from '../../parts/conflict/use-edited.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { describeBounds, readBounds, writeBounds } from './bounds-draft.ts'
import { mission as one } from './reads.ts'

interface RaiseBudgetProps {
  /** As its list has it. */
  listed: Mission
  onClose: () => void
}

/** A budget of a mission, to be set anew: what was refused by the old one may be launched then. */
export function RaiseBudget({ listed, onClose }: RaiseBudgetProps) {
  const read = useRead(one, { id: listed.id }).data?.mission
  // what was read when this was open before may be older than the list
  const mission = read && read.revision >= listed.revision ? read : listed
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
  return (
    <Dialog title={`Budget of ${mission.displayId}`} onClose={onClose}>
      <EditedForm
        ref={form}
        edited={edited}
        action={update}
        revision={mission.revision}
        send={send}
        onLeave={leave}
        describe={(text) => describeBounds(readBounds(text))}
        leave={warnings.length === 0 ? 'Discard' : 'Close'}
      >
        <BudgetFields bounds={bounds} onChange={(next) => edited.write(writeBounds(next))} />
        {warnings.map((warning) => (
          <Notice key={warning} tone="caution">
            <Text>{warning}</Text>
          </Notice>
        ))}
      </EditedForm>
    </Dialog>
  )
}
