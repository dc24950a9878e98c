import type { Mission } from '@svc/contracts/mission'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Conflict } from '../../parts/conflict/conflict.tsx'
import { useEdited, useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { takeLostFocus } from '../../ui/lost-focus.ts'
import { Text } from '../../ui/text.tsx'
import styles from './mission.module.css'
import { useScene, withMission } from './scene.ts'

/** The heading of the page, edited where it stands. */
export function Title({ mission, mayUpdate }: { mission: Mission; mayUpdate: boolean }) {
  const { drafts } = useWorkspace()
  const [isEditing, edit] = useState(() => drafts.read(`title:${mission.id}`) !== undefined)
  const button = useRef<HTMLButtonElement>(null)
  if (isEditing && mayUpdate) {
    return (
      <TitleField
        mission={mission}
        onClose={() => {
          edit(false)
          takeLostFocus(() => button.current)
        }}
      />
    )
  }
  return (
    <h1 className={styles['title']}>
      <Text>{mission.title}</Text>
      {mayUpdate && (
        <Button ref={button} look="bare" onClick={() => edit(true)}>
          <Icon name="edit" />
          <Hidden>Edit the title</Hidden>
        </Button>
      )}
    </h1>
  )
}

function TitleField({ mission, onClose }: { mission: Mission; onClose: () => void }) {
  const { keep, foresee } = useScene()
  const draft = `title:${mission.id}`
  const edited = useEdited(draft, { revision: mission.revision, text: mission.title })
  const update = useAction('updateMission', {
    draft,
    onDone: (answer) => {
      keep(withMission(answer.mission))
      onClose()
    },
  })
  const field = useRef<HTMLInputElement>(null)
  // it is shown as the title already, and may come back: what is typed is not given up for it
  const isOnItsWay = useRef(false)
  useEffect(() => field.current?.select(), [])
  const leave = () => {
    edited.leave()
    onClose()
  }
  const send = (expectedRevision: number) => {
    const title = edited.text.trim()
    foresee(withMission({ ...mission, title }), async () => {
      isOnItsWay.current = true
      await update.send({ id: mission.id, title, expectedRevision })
      isOnItsWay.current = false
    })
  }
  // it is not sent again by itself: what is shown as the title for a moment more is none that was read
  useRereadOnMismatch(update)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (isOnItsWay.current) return
    const title = edited.text.trim()
    if (title === '' || title === mission.title) leave()
    else if (edited.theirs === undefined) send(edited.expectedRevision)
  }
  return (
    <form className={styles['titleForm']} onSubmit={save}>
      <h1>
        <Hidden>
          <Text>{mission.title}</Text>
        </Hidden>
        <input
          ref={field}
          className={styles['titleField']}
          aria-label="Title"
          value={edited.text}
          onChange={(event) => edited.write(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && leave()}
        />
      </h1>
      <Button type="submit" look="first">
        Save
      </Button>
      <Button onClick={leave}>Cancel</Button>
      {edited.theirs ? (
        <Conflict
          theirs={edited.theirs}
          mine={edited.text}
          onKeep={() => send(edited.keepMine())}
          onTake={leave}
        />
      ) : (
        <ActionProblem of={update} />
      )}
    </form>
  )
}
