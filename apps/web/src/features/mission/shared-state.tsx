import type { SharedStateEntry } from '@svc/contracts/context'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Conflict } from '../../parts/conflict/conflict.tsx'
import { useEdited, useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Area, Field } from '../../ui/field.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import { jsonOf } from './json.ts'
import styles from './more.module.css'
import { sharedState } from './reads.ts'

/** What the agents of the mission, and people, keep for each other. */
export function SharedState({ missionId }: { missionId: string }) {
  const { rights } = useWorkspace()
  const read = useRead(sharedState, { id: missionId })
  const [edited, edit] = useState<SharedStateEntry | null>()
  const maySet = rights.mayCall('setSharedState')
  return (
    <Shown of={read} rows={1}>
      {({ sharedState: entries }) => (
        <>
          {entries.length === 0 && (
            <p>
              Nothing is kept yet. Agents and people keep values here under a name, for whoever
              works on the mission next.
            </p>
          )}
          <ul className={styles['rows']}>
            {entries.map((entry) => (
              <li key={entry.key}>
                <span>
                  <code>{entry.key}</code>
                </span>
                <span className={styles['quiet']}>
                  {entry.setBy && (
                    <>
                      <Text>{entry.setBy.name}</Text>,{' '}
                    </>
                  )}
                  <Ago at={entry.updatedAt} />
                </span>
                {maySet && (
                  <Button look="bare" onClick={() => edit(entry)}>
                    <Icon name="edit" />
                    <Hidden>Edit {entry.key}</Hidden>
                  </Button>
                )}
                <pre className={styles['content']}>
                  <Text>{JSON.stringify(entry.value, undefined, 2)}</Text>
                </pre>
              </li>
            ))}
          </ul>
          {maySet && (
            <Button look="bare" onClick={() => edit(null)}>
              <Icon name="plus" /> Key
            </Button>
          )}
          {edited !== undefined && (
            <Form
              missionId={missionId}
              known={edited && (entries.find(({ key }) => key === edited.key) ?? edited)}
              onClose={() => edit(undefined)}
            />
          )}
        </>
      )}
    </Shown>
  )
}

function Form({
  missionId,
  known,
  onClose,
}: {
  missionId: string
  /** As it stands now; null for a new one. */
  known: SharedStateEntry | null
  onClose: () => void
}) {
  const draft = `state:${missionId}:${known?.key ?? ''}`
  const initial = known ? JSON.stringify(known.value, undefined, 2) : ''
  const { text, write, theirs, expectedRevision, keepMine, leave } = useEdited(draft, {
    revision: known?.revision ?? 0,
    text: initial,
  })
  const { drafts } = useWorkspace()
  const keyDraft = `${draft}:key`
  const [key, setKey] = useDraft(keyDraft, known?.key ?? '')
  const set = useAction('setSharedState', {
    draft,
    onDone: ({ entry: kept }) => {
      drafts.drop(keyDraft)
      toast(kept === null ? 'Removed' : 'Kept')
      onClose()
    },
  })
  useRereadOnMismatch(set)
  const parsed = jsonOf(text)
  const send = (value: typeof parsed, revision = expectedRevision) => {
    if (value === undefined) return
    void set.send({ id: missionId, key, expectedRevision: revision, value: value.json })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (theirs === undefined) send(parsed)
  }
  const isSending = set.state.name === 'sending'
  return (
    <Dialog title={known ? `Edit ${known.key}` : 'New key'} onClose={onClose}>
      <form onSubmit={submit}>
        {!known && (
          <Field
            label="Key"
            required
            pattern="[A-Za-z0-9][A-Za-z0-9._:\-]*"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
        <Area
          label="Value"
          hint={parsed ? 'JSON.' : 'This is no JSON yet; a text stands in quotation marks.'}
          value={text}
          onChange={(event) => write(event.target.value)}
          rows={6}
        />
        {theirs ? (
          <Conflict
            theirs={theirs}
            mine={text}
            onKeep={() => send(parsed, keepMine())}
            onTake={() => {
              leave()
              onClose()
            }}
          />
        ) : (
          <ActionProblem of={set} />
        )}
        <DialogActions>
          {known && (
            <Button look="danger" disabled={isSending} onClick={() => send({ json: null })}>
              Remove it
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={!parsed || isSending}>
            Keep it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
