import type { Mission } from '@svc/contracts/mission'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useDraftForm } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
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
  const { drafts } = useWorkspace()
  const draft = `settings:${mission.id}`
  const [form, change] = useDraftForm(draft, () => formOf(mission))
  const [warnings, setWarnings] = useState<readonly string[]>([])
  // what others change meanwhile of what is left alone here stays as they left it
  const [before] = useState(mission)
  const update = useAction('updateMission', {
    draft,
    onDone: (answer) => {
      keep(withMission(answer.mission))
      toast('Saved')
      if (answer.warnings.length === 0) onClose()
      else setWarnings(answer.warnings.map(({ message }) => message))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void update.send({ id: mission.id, ...changesOf(before, settingsOf(form)) })
  }
  const leave = () => {
    drafts.drop(draft)
    onClose()
  }
  return (
    <Dialog title="Budget and settings" onClose={leave}>
      <form onSubmit={submit}>
        <BudgetFields bounds={form} onChange={change} />
        <Check
          checked={form.advances}
          onChange={(advances) => change({ advances })}
          hint="A delivery launches the next objective by itself; else that awaits approval."
        >
          Auto-advance
        </Check>
        <Check
          checked={form.isParallel}
          onChange={(isParallel) => change({ isParallel })}
          hint="Several objectives may run at the same time, each on a branch of its own."
        >
          Let its objectives run together
        </Check>
        <Select
          label="Where its runs work"
          value={form.worktrees}
          choices={[
            { value: 'null', text: 'As the project says' },
            { value: 'true', text: 'Each in a working tree of its own' },
            { value: 'false', text: 'In the checkout itself' },
          ]}
          onChoose={(worktrees) => change({ worktrees })}
        />
        {warnings.map((warning) => (
          <Notice key={warning} tone="caution">
            <Text>{warning}</Text>
          </Notice>
        ))}
        <ActionProblem of={update} />
        <DialogActions>
          <Button onClick={leave}>{warnings.length === 0 ? 'Cancel' : 'Close'}</Button>
          <Button look="first" type="submit" disabled={update.state.name === 'sending'}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** As it is written in the fields. */
function formOf({ budget, auto_advance, allowParallelObjectives, useWorktrees }: Mission) {
  return {
    ...boundsOf(budget),
    advances: auto_advance,
    isParallel: allowParallelObjectives,
    worktrees: String(useWorktrees),
  }
}

function settingsOf(form: ReturnType<typeof formOf>) {
  return {
    budget: budgetOf(form),
    auto_advance: form.advances,
    allowParallelObjectives: form.isParallel,
    useWorktrees: form.worktrees === 'null' ? null : form.worktrees === 'true',
  }
}
