import type { Artifact } from '@svc/contracts/artifact'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { DraftField, Field } from '../../ui/field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Outside } from '../../ui/outside.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import styles from './more.module.css'
import { useScene } from './scene.ts'

/** Texts and links that were kept with the mission. */
export function Artifacts() {
  const { shown } = useScene()
  const { rights } = useWorkspace()
  const [edited, edit] = useState<Artifact | 'new'>()
  return (
    <>
      {shown.artifacts.length === 0 && (
        <p>
          Nothing was kept with this mission yet. An artifact is a text or a link that agents and
          people keep with it.
        </p>
      )}
      <ul className={styles['rows']}>
        {shown.artifacts.map((artifact) => (
          <li key={artifact.id}>
            <One
              artifact={artifact}
              onEdit={rights.mayCall('updateArtifact') ? () => edit(artifact) : undefined}
            />
          </li>
        ))}
      </ul>
      {rights.mayCall('createArtifact') && (
        <Button look="bare" onClick={() => edit('new')}>
          <Icon name="plus" /> Artifact
        </Button>
      )}
      {edited && <Form artifact={edited} onClose={() => edit(undefined)} />}
    </>
  )
}

function One({ artifact, onEdit }: { artifact: Artifact; onEdit: (() => void) | undefined }) {
  const { label, type, contentText, externalUrl, updatedAt } = artifact
  return (
    <>
      <span>
        {externalUrl === null ? (
          <strong>
            <Text>{label}</Text>
          </strong>
        ) : (
          <Outside href={externalUrl}>
            <Text>{label}</Text>
          </Outside>
        )}
      </span>
      <span className={styles['quiet']}>
        <Text>{type}</Text> · <Ago at={updatedAt} />
      </span>
      {contentText !== null && contentText !== '' && (
        <Fold summary="Read it">
          <div className={styles['content']}>
            <Markdown>{contentText}</Markdown>
          </div>
        </Fold>
      )}
      {onEdit && (
        <Button look="bare" aria-label={`Edit ${label}`} onClick={onEdit}>
          <Icon name="edit" /> Edit
        </Button>
      )}
    </>
  )
}

function Form({ artifact, onClose }: { artifact: Artifact | 'new'; onClose: () => void }) {
  const { shown, keep } = useScene()
  const { drafts } = useWorkspace()
  const known = artifact === 'new' ? undefined : artifact
  const draft = `artifact:${known?.id ?? shown.mission.id}`
  const [text, setText] = useDraft(draft, known?.contentText ?? '')
  const [label, setLabel] = useDraft(`${draft}:name`, known?.label ?? '')
  const [type, setType] = useDraft(`${draft}:kind`, known?.type ?? 'note')
  const [url, setUrl] = useDraft(`${draft}:address`, known?.externalUrl ?? '')
  const [revision] = useState(known?.revision)
  const onDone = ({ artifact: saved }: { artifact: Artifact }) => {
    keep((now) => ({
      ...now,
      artifacts: [saved, ...now.artifacts.filter(({ id }) => id !== saved.id)],
    }))
    for (const field of ['name', 'kind', 'address']) drafts.drop(`${draft}:${field}`)
    toast('Kept')
    onClose()
  }
  const create = useAction('createArtifact', { draft, onDone })
  const update = useAction('updateArtifact', { draft, onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { id } = shown.mission
    const address = url.trim()
    const contentText = text.trim() === '' ? '' : text
    // what is sent and not answered comes back as it stood in the field
    if (text !== '') drafts.write(draft, text)
    if (known && revision !== undefined) {
      void update.send({
        id,
        artifactId: known.id,
        expectedRevision: revision,
        label,
        // what was taken out goes, too
        ...(contentText !== (known.contentText ?? '') && { contentText }),
        ...(address !== (known.externalUrl ?? '') && {
          externalUrl: address === '' ? null : address,
        }),
      })
    } else {
      void create.send({
        id,
        type,
        label,
        ...(contentText !== '' && { contentText }),
        ...(address !== '' && { externalUrl: address }),
      })
    }
  }
  const isSending = create.state.name === 'sending' || update.state.name === 'sending'
  return (
    <Dialog title={known ? 'Edit the artifact' : 'New artifact'} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Name"
          required
          maxLength={limits.titleCharacters}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        {!known && (
          <Field
            label="Kind"
            required
            pattern="[a-z][a-z0-9_.\-]*"
            hint="Small letters, such as note, plan or next_steps."
            value={type}
            onChange={(event) => setType(event.target.value)}
          />
        )}
        <DraftField label="Text" draft={draft} initial={text} onText={setText} rows={8} />
        <Field
          label="Address"
          type="url"
          hint="Of what is kept elsewhere. A text or an address is needed."
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <ActionProblem of={known ? update : create} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="first"
            type="submit"
            disabled={isSending || (text.trim() === '' && url.trim() === '')}
          >
            Keep it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
