import type { Mission } from '@svc/contracts/mission'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
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
          requestAnimationFrame(() => button.current?.focus())
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
  const { drafts } = useWorkspace()
  const { keep, foresee } = useScene()
  const draft = `title:${mission.id}`
  const update = useAction('updateMission', {
    draft,
    onDone: (answer) => {
      keep(withMission(answer.mission))
      onClose()
    },
  })
  const [text, setText] = useState(drafts.read(draft)?.text ?? mission.title)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const leave = () => {
    drafts.drop(draft)
    onClose()
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const title = text.trim()
    if (title === '' || title === mission.title) return leave()
    const expectedRevision = drafts.read(draft)?.base?.revision ?? mission.revision
    foresee(withMission({ ...mission, title }), () =>
      update.send({ id: mission.id, title, expectedRevision }),
    )
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
          value={text}
          maxLength={limits.titleCharacters}
          onChange={(event) => {
            setText(event.target.value)
            const { revision, title } = mission
            drafts.write(
              draft,
              event.target.value,
              drafts.read(draft) ? undefined : { revision, text: title },
            )
          }}
          onKeyDown={(event) => event.key === 'Escape' && leave()}
        />
      </h1>
      <Button type="submit" look="first">
        Save
      </Button>
      <Button onClick={leave}>Cancel</Button>
      <ActionProblem of={update} />
    </form>
  )
}
