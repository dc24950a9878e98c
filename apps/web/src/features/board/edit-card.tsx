import type { BoardCard } from '@svc/contracts/board'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits, priorities } from '../../data/contracts.values.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { priorityWords } from '../../words/mission.ts'
import { withCard } from './board.ts'
import { useScene } from './scene.ts'

/** What a mission is called, and how soon it is wanted. */
export function EditCard({ card, onClose }: { card: BoardCard; onClose: () => void }) {
  const { keep, foresee } = useScene()
  const { drafts } = useWorkspace()
  // what others change meanwhile of what is left alone here stays as they left it
  const [before] = useState(card)
  const draft = `card-title:${card.id}`
  const [title, setTitle] = useDraft(draft, before.title)
  const [priority, setPriority] = useState(before.priority)
  const update = useAction('updateMission', {
    draft,
    onDone: ({ mission }) => {
      const { title: given, priority: set, revision } = mission
      keep(withCard(card.id, { title: given, priority: set, revision }))
      onClose()
    },
  })
  const leave = () => {
    drafts.drop(draft)
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const changes = {
      ...(title.trim() !== before.title && { title: title.trim() }),
      ...(priority !== before.priority && { priority }),
    }
    if (Object.keys(changes).length === 0) return leave()
    foresee(withCard(card.id, changes), () => update.send({ id: card.id, ...changes }))
  }
  return (
    <Dialog title={`Title and priority of ${card.displayId}`} onClose={leave}>
      <form onSubmit={submit}>
        <Field
          label="Title"
          required
          maxLength={limits.titleCharacters}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <PriorityChoice value={priority} onChoose={setPriority} />
        <ActionProblem of={update} />
        <DialogActions>
          <Button onClick={leave}>Cancel</Button>
          <Button look="first" type="submit" disabled={update.state.name === 'sending'}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function PriorityChoice({
  value,
  onChoose,
}: {
  value: BoardCard['priority']
  onChoose: (priority: BoardCard['priority']) => void
}) {
  return (
    <Select
      label="Priority"
      value={value}
      choices={priorities.map((key) => ({ value: key, text: priorityWords[key].word }))}
      onChoose={(chosen) => onChoose(priorities.find((one) => one === chosen) ?? value)}
    />
  )
}
