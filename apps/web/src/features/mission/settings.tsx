import { type FormEvent, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { Bounds } from '../../parts/budget/bounds.ts'
import { BudgetFields } from '../../parts/budget/budget-fields.tsx'
import { PartConflict } from '../../parts/conflict/part-conflict.tsx'
import { useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { useEditedParts } from '../../parts/conflict/use-edited-parts.ts'
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
import {
  type Setting,
  describeSetting,
  partsOf,
  settingNames,
  settingsOf,
  worktreeWords,
} from './settings-parts.ts'

/** What the mission may use, and how its objectives are launched; what is left alone here stays as others leave it. */
export function Settings({ onClose }: { onClose: () => void }) {
  const { shown, keep } = useScene()
  const { mission } = shown
  const { drafts } = useWorkspace()
  const draft = `settings:${mission.id}`
  const edited = useEditedParts(draft, partsOf(mission))
  const { texts, changed, theirs, write } = edited
  const sent = useRef<ReadonlyMap<Setting, string>>(new Map())
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const update = useAction('updateMission', {
    draft,
    onDone: (answer) => {
      keep(withMission(answer.mission))
      edited.settle(sent.current, partsOf(answer.mission))
      toast('Saved')
      if (answer.warnings.length === 0) onClose()
      else setWarnings(answer.warnings.map(({ message }) => message))
    },
  })
  const leave = () => {
    edited.leave()
    drafts.drop(draft)
    onClose()
  }
  const send = () => {
    const { id, revision: expectedRevision } = mission
    const changes = changesOf(mission, settingsOf(texts))
    if (Object.keys(changes).length === 0) return leave()
    sent.current = new Map(changed.map((setting) => [setting, texts[setting]]))
    void update.send({ id, expectedRevision, ...changes })
  }
  const { revision } = mission
  const mayGoOut = () => edited.mayGoOut(sent.current)
  const seen = useRereadOnMismatch(update, { revision, mayGoOut, send })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (theirs.size === 0) send()
  }
  const writeBound = (next: Bounds) => {
    for (const bound of bounds) if (next[bound] !== texts[bound]) write(bound, next[bound])
  }
  const conflict = (setting: Setting) => (
    <PartConflict
      edited={edited}
      part={setting}
      what={settingNames[setting]}
      describe={(text) => describeSetting(setting, text)}
      onChosen={seen}
    />
  )
  return (
    <Dialog title="Budget and settings" onClose={leave}>
      <form onSubmit={submit}>
        <BudgetFields bounds={texts} onChange={writeBound} />
        {conflict('usd')}
        {conflict('tokens')}
        {conflict('runs')}
        <Check
          checked={texts.advances === 'true'}
          onChange={(advances) => write('advances', String(advances))}
          hint="A delivery launches the next objective by itself; else that awaits approval."
        >
          {settingNames.advances}
        </Check>
        {conflict('advances')}
        <Check
          checked={texts.isParallel === 'true'}
          onChange={(isParallel) => write('isParallel', String(isParallel))}
          hint="Several objectives may run at the same time, each on a branch of its own."
        >
          {settingNames.isParallel}
        </Check>
        {conflict('isParallel')}
        <Select
          label={settingNames.worktrees}
          value={texts.worktrees}
          choices={Object.entries(worktreeWords).map(([value, text]) => ({ value, text }))}
          onChoose={(worktrees) => write('worktrees', worktrees)}
        />
        {conflict('worktrees')}
        {warnings.map((warning) => (
          <Notice key={warning} tone="caution">
            <Text>{warning}</Text>
          </Notice>
        ))}
        {theirs.size === 0 && <ActionProblem of={update} />}
        <DialogActions>
          <Button onClick={leave}>{warnings.length === 0 ? 'Cancel' : 'Close'}</Button>
          <Button
            look="first"
            type="submit"
            disabled={update.state.name === 'sending' || theirs.size > 0}
          >
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const bounds = ['usd', 'tokens', 'runs'] as const
