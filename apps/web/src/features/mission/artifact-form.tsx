import type { Artifact } from '@svc/contracts/artifact'
import { type FormEvent, useRef } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { CurrentParts } from '../../parts/conflict/edited-parts.ts'
import { PartConflict } from '../../parts/conflict/part-conflict.tsx'
import { useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { useEditedParts } from '../../parts/conflict/use-edited-parts.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Area, Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useScene } from './scene.ts'

interface ArtifactFormProps {
  /** As it stands now, whoever has changed it since the form was opened; none for a new one. */
  known: Artifact | undefined
  onClose: () => void
}

export function ArtifactForm({ known, onClose }: ArtifactFormProps) {
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
  const send = () => {
    sent.current = new Map(changed.map((part) => [part, texts[part]]))
    if (known) sendChanges(known)
    else sendNew()
  }
  const seen = useRereadOnMismatch(update, {
    revision: known?.revision ?? 0,
    mayGoOut: () => edited.mayGoOut(sent.current),
    send,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (theirs.size === 0) send()
  }
  const conflict = (part: Part, what: string) => (
    <PartConflict edited={edited} part={part} what={what} onChosen={seen} />
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
