import { type FormEvent, type KeyboardEvent, type Ref, useId } from 'react'
import { useAction } from '../../data/actions.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { toast } from '../../ui/toast-store.ts'
import styles from './capture.module.css'
import { capturedOf } from './capture.ts'

const draft = 'capture'

interface CaptureFormProps {
  field?: Ref<HTMLTextAreaElement>
  onNoted?: () => void
}

/** One field, wherever it is: what is written in it stays until the service has it. */
export function CaptureForm({ field, onNoted }: CaptureFormProps) {
  const id = useId()
  const { drafts } = useWorkspace()
  const [typed, setTyped] = useDraft(draft, '')
  const captured = capturedOf(typed)
  const problem = captured?.problem
  const create = useAction('createInboxItem', {
    draft,
    onDone: () => {
      toast('Noted down in your inbox')
      // what was written since it was sent is the next one
      setTyped(drafts.textHere(draft) ?? '')
      onNoted?.()
    },
  })
  const isSending = create.state.name === 'sending'
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (captured === undefined || captured.problem !== undefined || isSending) return
    void create.send(captured)
  }
  return (
    <form className={styles['capture']} onSubmit={submit}>
      <label htmlFor={id}>Note something down</label>
      <textarea
        id={id}
        ref={field}
        data-capture=""
        className={styles['field']}
        value={typed}
        rows={Math.min(12, Math.max(2, typed.split('\n').length + 1))}
        placeholder="Its first line is the title, the rest its text, in Markdown."
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={`${id}-hint`}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
        }}
      />
      <ActionProblem of={create} />
      <div className={styles['actions']}>
        <p id={`${id}-hint`} className={problem === undefined ? styles['hint'] : styles['problem']}>
          {problem ?? 'For you alone: in no project, and nothing starts by it.'}
        </p>
        <Button
          look="first"
          type="submit"
          disabled={captured === undefined || problem !== undefined || isSending}
        >
          Note it down <Kbd>Ctrl ↵</Kbd>
        </Button>
      </div>
    </form>
  )
}
