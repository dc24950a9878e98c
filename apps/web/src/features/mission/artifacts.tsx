import type { Artifact } from '@svc/contracts/artifact'
import { type FormEvent, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { CurrentParts } from '../../parts/conflict/edited-parts.ts'
import { PartConflict } from '../../parts/conflict/part-conflict.tsx'
import { useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { useEditedParts } from '../../parts/conflict/use-edited-parts.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, Gone } from '../../ui/dialog.tsx'
import { Area, Field } from '../../ui/field.tsx'
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
  const [edited, edit] = useState<string | null>()
  // as it stands now, whoever has changed it since the form was opened
  const known = shown.artifacts.find(({ id }) => id === edited)
  const close = () => edit(undefined)
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
              onEdit={rights.mayCall('updateArtifact') ? () => edit(artifact.id) : undefined}
            />
          </li>
        ))}
      </ul>
      {rights.mayCall('createArtifact') && (
        <Button look="bare" onClick={() => edit(null)}>
          <Icon name="plus" /> Artifact
        </Button>
      )}
      {edited === null && <Form onClose={close} />}
      {typeof edited === 'string' &&
        (known ? <Form known={known} onClose={close} /> : <Gone onClose={close} />)}
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

interface FormProps {
  /** As it stands now; none for a new one. */
  known?: Artifact
  onClose: () => void
}

function Form({ known, onClose }: FormProps) {
  const { shown, keep } = useScene()
  const { drafts } = useWorkspace()
  const draft = `artifact:${known?.id ?? shown.mission.id}`
  const edited = useEditedParts(draft, partsOf(known))
  const { texts, changed, theirs, write } = edited
  const sent = useRef<ReadonlyMap<Part, string>>(new Map())
  const onDone = ({ artifact: saved }: { artifact: Artifact }) => {
    keep((now) => ({
      ...now,
      artifacts: [saved, ...now.artifacts.filter(({ id }) => id !== saved.id)],
    }))
    edited.settle(sent.current, partsOf(known && saved))
    toast('Kept')
    onClose()
  }
  const create = useAction('createArtifact', { draft, onDone })
  const update = useAction('updateArtifact', { draft, onDone })
  useRereadOnMismatch(update)
  const { id } = shown.mission
  const address = texts.address.trim()
  const contentText = texts.text.trim() === '' ? '' : texts.text
  const sendNew = () =>
    void create.send({
      id,
      type: texts.kind,
      label: texts.name,
      ...(contentText !== '' && { contentText }),
      ...(address !== '' && { externalUrl: address }),
    })
  const sendChanges = ({ id: artifactId, revision: expectedRevision }: Artifact) => {
    if (changed.length === 0) {
      edited.leave()
      drafts.drop(draft)
      return onClose()
    }
    void update.send({
      id,
      artifactId,
      expectedRevision,
      ...(changed.includes('name') && { label: texts.name }),
      // what was taken out goes, too
      ...(changed.includes('text') && { contentText }),
      ...(changed.includes('address') && { externalUrl: address === '' ? null : address }),
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (theirs.size > 0) return
    sent.current = new Map(changed.map((part) => [part, texts[part]]))
    if (known) sendChanges(known)
    else sendNew()
  }
  const conflict = (part: Part, what: string) => (
    <PartConflict
      edited={edited}
      part={part}
      what={what}
      // that there is something newer has been seen
      onChosen={() => update.state.name === 'refused' && update.dismiss()}
    />
  )
  const isSending = create.state.name === 'sending' || update.state.name === 'sending'
  const isEmpty = contentText === '' && address === ''
  return (
    <Dialog title={known ? 'Edit the artifact' : 'New artifact'} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Name"
          required
          maxLength={limits.titleCharacters}
          value={texts.name}
          onChange={(event) => write('name', event.target.value)}
        />
        {conflict('name', 'Name')}
        {!known && (
          <Field
            label="Kind"
            required
            pattern="[a-z][a-z0-9_.\-]*"
            hint="Small letters, such as note, plan or next_steps."
            value={texts.kind}
            onChange={(event) => write('kind', event.target.value)}
          />
        )}
        <Area
          label="Text"
          rows={8}
          value={texts.text}
          onChange={(event) => write('text', event.target.value)}
        />
        {conflict('text', 'Text')}
        <Field
          label="Address"
          type="url"
          hint="Of what is kept elsewhere. A text or an address is needed."
          value={texts.address}
          onChange={(event) => write('address', event.target.value)}
        />
        {conflict('address', 'Address')}
        {theirs.size === 0 && <ActionProblem of={known ? update : create} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={isSending || isEmpty || theirs.size > 0}>
            Keep it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Part = 'name' | 'kind' | 'text' | 'address'

/** Each as it is written in its field. */
function partsOf(artifact: Artifact | undefined): CurrentParts<Part> {
  const { revision = 0, label = '', type = 'note', contentText, externalUrl } = artifact ?? {}
  return {
    revision,
    texts: { name: label, kind: type, text: contentText ?? '', address: externalUrl ?? '' },
  }
}
