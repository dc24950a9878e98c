import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { takeLostFocus } from '../../ui/lost-focus.ts'
import styles from './instruction.module.css'
import { useScene, withObjectives } from './scene.ts'

/** The next objective, written where it will stand. */
export function AddObjective() {
  const { shown, keep } = useScene()
  const { drafts } = useWorkspace()
  const draft = `new-objective:${shown.mission.id}`
  const [text, setText] = useDraft(draft, '')
  const [isOpen, open] = useState(text !== '')
  const add = useAction('addObjectives', {
    draft,
    onDone: (answer) => {
      keep(withObjectives(answer.mission, answer.objectives))
      announce('Added')
      // what was written since it was sent is the next one
      setText(drafts.textHere(draft) ?? '')
      field.current?.focus()
    },
  })
  const field = useRef<HTMLTextAreaElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    const instruction = text.trim()
    if (instruction === '' || add.state.name === 'sending') return
    void add.send({ id: shown.mission.id, objectives: [{ instruction }] })
  }
  const close = () => {
    open(false)
    takeLostFocus(() => button.current)
  }
  if (!isOpen) {
    return (
      <Button
        ref={button}
        look="bare"
        className={styles['add'] ?? ''}
        data-action="add-objective"
        aria-keyshortcuts="o"
        onClick={() => open(true)}
      >
        <Icon name="plus" /> Objective <Kbd>o</Kbd>
      </Button>
    )
  }
  return (
    <form className={styles['new']} onSubmit={submit}>
      <label htmlFor="new-objective">New objective</label>
      <textarea
        id="new-objective"
        ref={field}
        data-action="add-objective"
        autoFocus
        className={styles['field']}
        value={text}
        rows={Math.min(18, Math.max(3, text.split('\n').length + 1))}
        placeholder="What is to be done? Markdown; the first line becomes the title."
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
          if (event.key === 'Escape') close()
        }}
      />
      <ActionProblem of={add} />
      <div className={styles['actions']}>
        <Button
          look="first"
          type="submit"
          disabled={text.trim() === '' || add.state.name === 'sending'}
        >
          Add
        </Button>
        <Button look="bare" onClick={close}>
          Close
        </Button>
        <span className={styles['hint']}>Ctrl+Enter adds it. What is written here is kept.</span>
      </div>
    </form>
  )
}
