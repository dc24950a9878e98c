import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { boundsOf, budgetOf } from '../../parts/budget/bounds.ts'
import { BudgetFields } from '../../parts/budget/budget-fields.tsx'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/check.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { changesOf } from './changes-of.ts'
import { useScene, withMission } from './scene.ts'

/** What the mission may use, and how its objectives are launched. */
export function Settings({ onClose }: { onClose: () => void }) {
  const { shown, keep } = useScene()
  const { mission } = shown
  const [bounds, setBounds] = useState(boundsOf(mission.budget))
  const [advances, setAdvances] = useState(mission.auto_advance)
  const [isParallel, setParallel] = useState(mission.allowParallelObjectives)
  const [worktrees, setWorktrees] = useState(String(mission.useWorktrees))
  const [warnings, setWarnings] = useState<readonly string[]>([])
  // what others change meanwhile of what is left alone here stays as they left it
  const [before] = useState(mission)
  const update = useAction('updateMission', {
    onDone: (answer) => {
      keep(withMission(answer.mission))
      toast('Saved')
      if (answer.warnings.length === 0) onClose()
      else setWarnings(answer.warnings.map(({ message }) => message))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = {
      budget: budgetOf(bounds),
      auto_advance: advances,
      allowParallelObjectives: isParallel,
      useWorktrees: worktrees === 'null' ? null : worktrees === 'true',
    }
    void update.send({ id: mission.id, ...changesOf(before, given) })
  }
  return (
    <Dialog title="Budget and settings" onClose={onClose}>
      <form onSubmit={submit}>
        <BudgetFields bounds={bounds} onChange={setBounds} />
        <Check
          checked={advances}
          onChange={setAdvances}
          hint="A delivery launches the next objective by itself; else that awaits approval."
        >
          Auto-advance
        </Check>
        <Check
          checked={isParallel}
          onChange={setParallel}
          hint="Several objectives may run at the same time, each on a branch of its own."
        >
          Let its objectives run together
        </Check>
        <Select
          label="Where its runs work"
          value={worktrees}
          choices={[
            { value: 'null', text: 'As the project says' },
            { value: 'true', text: 'Each in a working tree of its own' },
            { value: 'false', text: 'In the checkout itself' },
          ]}
          onChoose={setWorktrees}
        />
        {warnings.map((warning) => (
          <Notice key={warning} tone="caution">
            <Text>{warning}</Text>
          </Notice>
        ))}
        <ActionProblem of={update} />
        <DialogActions>
          <Button onClick={onClose}>{warnings.length === 0 ? 'Cancel' : 'Close'}</Button>
          <Button look="first" type="submit" disabled={update.state.name === 'sending'}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
