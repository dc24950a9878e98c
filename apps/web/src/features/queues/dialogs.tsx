import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useDraft } from '../../data/use-draft.ts'
import { Conflict } from '../../parts/conflict/conflict.tsx'
import { useEdited } from '../../parts/conflict/use-edited.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, Gone } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast-store.ts'
import { counted } from '../../words/counted.ts'
import { visible } from '../../words/visible.ts'
import type { Queue } from './reads.ts'
import { type Opened, useScene } from './scene.ts'

/** What is open over the queues. */
export function Dialogs({ opened }: { opened: NonNullable<Opened> }) {
  const { queues, open } = useScene()
  const close = () => open(undefined)
  if (opened.what === 'create') return <CreateQueue onClose={close} />
  const queue = queues.find(({ id }) => id === opened.queue)
  // somebody else has just deleted it
  if (queue === undefined) return <Gone onClose={close} />
  if (opened.what === 'rename') return <RenameQueue queue={queue} onClose={close} />
  return <DeleteQueue queue={queue} onClose={close} />
}

function CreateQueue({ onClose }: { onClose: () => void }) {
  const { project } = useScene()
  const draft = `queue:${project.id}`
  const [name, setName] = useDraft(draft, '')
  const create = useAction('createRunQueue', {
    draft,
    onDone: ({ queue }) => {
      toast(`${queue.name} is the last queue`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create.send({ id: project.id, name: name.trim() })
  }
  return (
    <Dialog title="New queue" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Name"
          hint="Queues launch next to each other: each has one entry under way at most."
          required
          maxLength={limits.titleCharacters}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ActionProblem of={create} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={create.state.name === 'sending'}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface OfQueue {
  queue: Queue
  onClose: () => void
}

/** No revision goes with a new name: one that somebody else has given meanwhile is shown next to it. */
function RenameQueue({ queue, onClose }: OfQueue) {
  const draft = `queue-name:${queue.id}`
  const edited = useEdited(draft, { revision: queue.revision, text: queue.name })
  const rename = useAction('updateRunQueue', { draft, onDone: onClose })
  const send = () => void rename.send({ id: queue.id, name: edited.text.trim() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (edited.theirs !== undefined) return
    // nothing of it is one's own, and nothing of before may have been done
    if (edited.text.trim() === queue.name && rename.state.name === 'idle') {
      edited.leave()
      onClose()
    } else send()
  }
  return (
    <Dialog title={`Rename ${visible(queue.name)}`} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Name"
          required
          maxLength={limits.titleCharacters}
          value={edited.text}
          onChange={(event) => edited.write(event.target.value)}
        />
        {edited.theirs ? (
          <Conflict
            theirs={edited.theirs}
            mine={edited.text}
            onKeep={() => {
              edited.keepMine()
              send()
            }}
            onTake={() => {
              edited.leave()
              onClose()
            }}
          />
        ) : (
          <ActionProblem of={rename} />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="first"
            type="submit"
            disabled={rename.state.name === 'sending' || edited.theirs !== undefined}
          >
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function DeleteQueue({ queue, onClose }: OfQueue) {
  const { queues } = useScene()
  const others = queues.filter(({ id }) => id !== queue.id)
  const [chosen, choose] = useState(others[0]?.id)
  const target = others.find(({ id }) => id === chosen) ?? others[0]
  const remove = useAction('deleteRunQueue', {
    onDone: () => {
      toast(`${queue.name} is gone`)
      onClose()
    },
  })
  const { length } = queue.entries
  const moveEntriesTo = length > 0 ? target?.id : undefined
  return (
    <Dialog title={`Delete ${visible(queue.name)}`} onClose={onClose}>
      {length === 0 || target === undefined ? (
        <p>Nothing is queued in it.</p>
      ) : (
        <Select
          label={
            length === 1 ? 'Its entry goes to' : `Its ${counted(length, 'entry', 'entries')} go to`
          }
          value={target.id}
          choices={others.map(({ id, name }) => ({ value: id, text: visible(name) }))}
          hint="They go to its end, in their order."
          onChoose={choose}
        />
      )}
      <ActionProblem of={remove} />
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button
          look="danger"
          disabled={remove.state.name === 'sending'}
          onClick={() =>
            void remove.send({
              id: queue.id,
              ...(moveEntriesTo !== undefined && { moveEntriesTo }),
            })
          }
        >
          Delete the queue
        </Button>
      </DialogActions>
    </Dialog>
  )
}
