import { type FormEvent, useRef } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useDraft, useDraftForm } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useEnterGoesOn } from '../../ui/enter-goes-on.ts'
import { Area, Field } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { toast } from '../../ui/toast-store.ts'
import { cardOf, withMoved } from './board.ts'
import { PriorityChoice } from './edit-card.tsx'
import { useScene } from './scene.ts'

type Priority = Parameters<typeof PriorityChoice>[0]['value']

// in one draft: what is sent again after its answer was lost is known by all of it
const beginning = (): { title: string; priority: Priority } => ({ title: '', priority: 'normal' })

/** A mission begins with a title, and with what is to be done first where that is known. */
export function CreateMission({ onClose }: { onClose: () => void }) {
  const { board, isFiltered, settle, focusCard } = useScene()
  const { project } = board
  const { drafts } = useWorkspace()
  const draft = `mission:${project.id}`
  const instructionDraft = `mission-objective:${project.id}`
  const [{ title, priority }, change] = useDraftForm(draft, beginning, { makesNew: true })
  const [instruction, setInstruction] = useDraft(instructionDraft, '')
  const create = useAction('createMission', {
    draft,
    onDone: ({ mission, objectives }) => {
      drafts.drop(instructionDraft)
      toast(`${mission.displayId} is made`)
      onClose()
      // whether it passes a filter is not known here
      if (isFiltered) return
      settle(withMoved(cardOf(mission, objectives), mission.status.id))
      focusCard(mission.id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const objectives = instruction.trim() === '' ? [] : [{ instruction }]
    void create.send({ projectId: project.id, title: title.trim(), priority, objectives })
  }
  const form = useRef<HTMLFormElement>(null)
  const { area, goOn } = useEnterGoesOn(instruction.trim() !== '')
  useKeys([{ keys: 'Mod+Enter', run: () => form.current?.requestSubmit() }])
  return (
    <Dialog title="New mission" onClose={onClose}>
      <form ref={form} onSubmit={submit}>
        <Field
          label="Title"
          required
          maxLength={limits.titleCharacters}
          value={title}
          onChange={(event) => change({ title: event.target.value })}
          onKeyDown={goOn}
        />
        <Area
          ref={area}
          label="What is to be done first"
          hint="Its first objective, in Markdown. It may be left for later."
          maxLength={limits.instructionCharacters}
          value={instruction}
          onChange={(event) => setInstruction(event.target.value)}
        />
        <PriorityChoice value={priority} onChoose={(chosen) => change({ priority: chosen })} />
        <ActionProblem of={create} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={create.state.name === 'sending'}>
            Create <Kbd>Ctrl ↵</Kbd>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
