import type { FormEvent } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { useEnterGoesOn } from '../../ui/enter-goes-on.ts'
import { Area, Field } from '../../ui/field.tsx'

const titleDraft = 'first-mission-title'
const draft = 'first-mission'

/** The first mission, with one objective. */
export function WriteMission({ projectId }: { projectId: string }) {
  const { drafts } = useWorkspace()
  const [title, setTitle] = useDraft(titleDraft, '')
  const [text, setText] = useDraft(draft, '')
  const create = useAction('createMission', {
    draft,
    onDone: ({ mission }) => {
      // until the service is read again this stands here still: pressed once more, it would be made once more
      if (title.trim() === mission.title) setTitle('')
      setText(drafts.textHere(draft) ?? '')
      announce(`${mission.displayId} is written`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create.send({ projectId, title, objectives: [{ instruction: text.trim() }] })
  }
  const { area, goOn } = useEnterGoesOn(text.trim() !== '')
  return (
    <form onSubmit={submit}>
      <Field
        label="What the mission is about"
        required
        maxLength={limits.titleCharacters}
        placeholder="Notes on this repository"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={goOn}
      />
      <Area
        ref={area}
        label="What its first objective is to do"
        hint="One pass of an agent: what is to be different afterwards, and how that is seen."
        required
        rows={4}
        maxLength={limits.instructionCharacters}
        placeholder="Say in NOTES.md what is in this repository."
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ActionProblem of={create} />
      <Button
        look="first"
        type="submit"
        disabled={text.trim() === '' || title.trim() === '' || create.state.name === 'sending'}
      >
        Write it
      </Button>
    </form>
  )
}
