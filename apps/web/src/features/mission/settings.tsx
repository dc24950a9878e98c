import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/check.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
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
  const { budget } = mission
  const [usd, setUsd] = useState(budget.usd ?? '')
  const [tokens, setTokens] = useState(textOf(budget.tokens))
  const [runs, setRuns] = useState(textOf(budget.runs))
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
      budget: { usd: usd.trim() || null, tokens: numberOf(tokens), runs: numberOf(runs) },
      auto_advance: advances,
      allowParallelObjectives: isParallel,
      useWorktrees: worktrees === 'null' ? null : worktrees === 'true',
    }
    void update.send({ id: mission.id, ...changesOf(before, given) })
  }
  return (
    <Dialog title="Budget and settings" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Budget in dollars"
          hint="Nothing more of the mission is launched once it is used up. Empty: no bound."
          inputMode="decimal"
          value={usd}
          onChange={(event) => setUsd(event.target.value)}
        />
        <Field
          label="Budget in tokens"
          inputMode="numeric"
          pattern="[0-9]*"
          value={tokens}
          onChange={(event) => setTokens(event.target.value)}
        />
        <Field
          label="Budget in runs"
          inputMode="numeric"
          pattern="[0-9]*"
          value={runs}
          onChange={(event) => setRuns(event.target.value)}
        />
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

function textOf(bound: number | null): string {
  return bound === null ? '' : String(bound)
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
