import type { ListedResource } from '@svc/contracts/listed-resource'
import type { Project } from '@svc/contracts/project'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useDraft } from '../../data/use-draft.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { visible } from '../../words/visible.ts'
import { LinkCheckout } from './link-checkout.tsx'
import { ResourceFields } from './resource-fields.tsx'
import { readForm, requestOf, writeForm } from './resource-form.ts'
import { problemsIn } from './use-preview.ts'
import { useKeepResource } from './use-keep-resource.ts'

interface AddResourceProps {
  project: Project
  /** Undefined as long as nobody knows. */
  shown: readonly ListedResource[] | undefined
  onClose: () => void
}

/** First what it is, then the command that brings it onto a machine. */
export function AddResource({ project, shown, onClose }: AddResourceProps) {
  const [key, setKey] = useState<string>()
  const added = shown?.find(({ resourceKey }) => resourceKey === key)
  const title = added ? `Link a checkout of ${visible(added.resourceKey)}` : 'Add a resource'
  return (
    <Dialog title={title} onClose={onClose} isSheet>
      {added ? (
        <LinkCheckout project={project} resource={added} onClose={onClose} />
      ) : (
        <Form project={project} shown={shown} onClose={onClose} onAdded={setKey} />
      )}
    </Dialog>
  )
}

interface FormProps extends AddResourceProps {
  onAdded: (key: string) => void
}

function Form({ project, shown, onClose, onAdded }: FormProps) {
  const draft = `resource:${project.id}`
  const [text, setText] = useDraft(draft, '')
  const form = readForm(text)
  const keep = useKeepResource(project.id)
  const [isTwice, setTwice] = useState(false)
  const add = useAction('linkProjectResource', {
    draft,
    onDone: ({ resource }) => {
      keep(resource)
      onAdded(resource.resourceKey)
    },
  })
  const problems = new Map([
    ...problemsIn(add.state.name === 'refused' ? add.state.error : undefined),
    ...(isTwice ? ([['resourceKey', 'the project has one of this key already']] as const) : []),
  ])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // the service would change the one that is there
    const isThere = shown?.some(({ resourceKey }) => resourceKey === form.key.trim())
    setTwice(isThere === true)
    if (isThere === false) void add.send(requestOf(project.id, form))
  }
  return (
    <form noValidate onSubmit={submit}>
      <p>A resource is a repository that the runs of the project work in or read.</p>
      <ResourceFields
        form={form}
        defaultBranch={project.defaultBranch}
        isThere={false}
        problems={problems}
        change={(next) => {
          setTwice(false)
          setText(writeForm(next))
        }}
      />
      <ActionProblem of={add} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="first"
          type="submit"
          disabled={add.state.name === 'sending' || shown === undefined}
        >
          Add it
        </Button>
      </DialogActions>
    </form>
  )
}
