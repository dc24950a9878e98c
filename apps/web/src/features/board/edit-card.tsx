import type { BoardCard } from '@svc/contracts/board'
import { type FormEvent, useRef } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits, priorities } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { CurrentParts } from '../../parts/conflict/edited-parts.ts'
import { PartConflict } from '../../parts/conflict/part-conflict.tsx'
import { useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { useEditedParts } from '../../parts/conflict/use-edited-parts.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { priorityWords } from '../../words/mission.ts'
import { withCard } from './board.ts'
import { mission as one } from './reads.ts'
import { useScene } from './scene.ts'

/** What a mission is called, and how soon it is wanted; what is left alone here stays as others leave it. */
export function EditCard({ card, onClose }: { card: BoardCard; onClose: () => void }) {
  const { keep, foresee } = useScene()
  const { drafts } = useWorkspace()
  // a card is not told of each revision: many change nothing that it shows
  const read = useRead(one, { id: card.id }).data?.mission
  // what was read when this was open before may be older than the card
  const mission = read && read.revision >= card.revision ? read : card
  const draft = `card:${card.id}`
  const edited = useEditedParts(draft, partsOf(mission))
  const { texts, changed, theirs, write } = edited
  const sent = useRef<ReadonlyMap<Part, string>>(new Map())
  const update = useAction('updateMission', {
    draft,
    onDone: ({ mission: saved }) => {
      const { title, priority, revision } = saved
      keep(withCard(card.id, { title, priority, revision }))
      edited.settle(sent.current, partsOf(saved))
      onClose()
    },
  })
  const leave = () => {
    edited.leave()
    drafts.drop(draft)
    onClose()
  }
  const send = () => {
    const [title, priority] = [texts.title.trim(), priorityOf(texts.priority)]
    const changes = {
      ...(changed.includes('title') && title !== mission.title && { title }),
      ...(changed.includes('priority') && { priority }),
    }
    if (Object.keys(changes).length === 0) return leave()
    sent.current = new Map(changed.map((part) => [part, texts[part]]))
    const { revision: expectedRevision } = mission
    foresee(withCard(card.id, changes), () =>
      update.send({ id: card.id, expectedRevision, ...changes }),
    )
  }
  const seen = useRereadOnMismatch(update, {
    // a card may be told of a revision and not of all that it changed
    revision: mission === read ? read.revision : 0,
    mayGoOut: () => edited.mayGoOut(sent.current),
    send,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (theirs.size === 0) send()
  }
  return (
    <Dialog title={`Title and priority of ${card.displayId}`} onClose={leave}>
      <form onSubmit={submit}>
        <Field
          label="Title"
          required
          maxLength={limits.titleCharacters}
          value={texts.title}
          onChange={(event) => write('title', event.target.value)}
        />
        <PartConflict edited={edited} part="title" what="Title" onChosen={seen} />
        <PriorityChoice
          value={priorityOf(texts.priority)}
          onChoose={(priority) => write('priority', priority)}
        />
        <PartConflict
          edited={edited}
          part="priority"
          what="Priority"
          describe={(text) => priorityWords[priorityOf(text)].word}
          onChosen={seen}
        />
        {theirs.size === 0 && <ActionProblem of={update} />}
        <DialogActions>
          <Button onClick={leave}>Cancel</Button>
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

type Part = 'title' | 'priority'

function partsOf({
  revision,
  title,
  priority,
}: Pick<BoardCard, 'revision' | Part>): CurrentParts<Part> {
  return { revision, texts: { title, priority } }
}

/** A draft of another version may hold another text. */
function priorityOf(text: string): BoardCard['priority'] {
  return priorities.find((key) => key === text) ?? 'normal'
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
      onChoose={(chosen) => onChoose(priorityOf(chosen))}
    />
  )
}
