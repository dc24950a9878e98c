import type { InboxItem } from '@svc/contracts/inbox-item'
import type { Project } from '@svc/contracts/project'
import { type FormEvent, useRef } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits, priorities } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { useDraft } from '../../data/use-draft.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { ButtonLink } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast-store.ts'
import { priorityWords } from '../../words/mission.ts'
import { visible } from '../../words/visible.ts'
import { ObjectiveFields } from './objective-fields.tsx'
import { Outcome } from './outcome.tsx'
import { item as one, projects } from './reads.ts'
import { type TurnForm, readForm, requestOf, writeForm } from './turn-form.ts'

/** A mission of it, begun with what the item says. */
export function TurnItem({ item: before, onClose }: { item: InboxItem; onClose: () => void }) {
  const item = useRead(one, { id: before.id }).data?.inboxItem ?? before
  const known = useRead(projects, {}).data?.projects
  const draft = `turn:${item.id}`
  const [written, setWritten] = useDraft(draft, '')
  const typed = readForm(written, before)
  const only = known?.length === 1 ? known[0]?.id : undefined
  const form = { ...typed, projectId: typed.projectId || (only ?? '') }
  const write = (next: TurnForm) => setWritten(writeForm(next))
  const turn = useAction('turnInboxItem', {
    draft,
    onDone: ({ mission }) => {
      toast(`It became ${mission.displayId}`)
      onClose()
    },
  })
  const isSending = turn.state.name === 'sending'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isSending) void turn.send(requestOf(item.id, form))
  }
  const element = useRef<HTMLFormElement>(null)
  useKeys([{ keys: 'Mod+Enter', run: () => element.current?.requestSubmit() }])
  return (
    <Dialog title="Turn into a mission" onClose={onClose} isSheet>
      <form ref={element} onSubmit={submit}>
        {known?.length === 0 && (
          <Notice
            tone="caution"
            actions={<ButtonLink to={pathTo('projects', {})}>Projects</ButtonLink>}
          >
            A mission belongs to a project, and there is none yet.
          </Notice>
        )}
        <Select
          label="Project"
          required
          value={form.projectId}
          choices={[{ value: '', text: 'Choose a project' }, ...choicesOf(known, form.projectId)]}
          onChoose={(projectId) => write({ ...form, projectId })}
        />
        <Field
          label="Title"
          required
          maxLength={limits.titleCharacters}
          value={form.title}
          onChange={(event) => write({ ...form, title: event.target.value })}
        />
        <ObjectiveFields form={form} onWrite={write} />
        <Select
          label="Priority"
          value={form.priority}
          choices={priorities.map((key) => ({ value: key, text: priorityWords[key].word }))}
          onChoose={(chosen) =>
            write({
              ...form,
              priority: priorities.find((priority) => priority === chosen) ?? 'normal',
            })
          }
        />
        {turn.state.name === 'idle' && item.turned !== null && (
          <Notice tone="caution">
            <Outcome of={item} />
            Nothing else is made of it. What is written here stays, to be copied.
          </Notice>
        )}
        <ActionProblem of={turn} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={isSending}>
            Make the mission <Kbd>Ctrl ↵</Kbd>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** While they are read, the one that was chosen before a reload stays chosen: the form can be sent. */
function choicesOf(known: readonly Pick<Project, 'id' | 'name'>[] | undefined, chosen: string) {
  if (known) return known.map(({ id, name }) => ({ value: id, text: visible(name) }))
  return chosen === '' ? [] : [{ value: chosen, text: 'The project that you chose' }]
}
