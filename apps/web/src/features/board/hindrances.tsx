import { useEffect } from 'react'
import { defineRead, useRead } from '../../data/reads.ts'
import { Problem } from '../../shell/problem.tsx'
import { announceRefusal } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { visible } from '../../words/visible.ts'
import styles from './dialogs.module.css'
import { type Hindrance, unansweredWords } from './moves.ts'
import { useScene } from './scene.ts'
import type { Moving } from './use-move.ts'

type Of<W extends Hindrance['why']> = Extract<Hindrance, { why: W }>

/** Why cards went back to where they were, and what can be done about it. */
export function Hindrances({ of: moving }: { of: Moving }) {
  return moving.hindrances.map((hindrance) => (
    <OneHindrance key={hindrance.move.key} of={hindrance} moving={moving} />
  ))
}

function OneHindrance({ of, moving }: { of: Hindrance; moving: Moving }) {
  const { focusCard } = useScene()
  const leave = () => {
    moving.dismiss(of)
    focusCard(of.move.card.id)
  }
  const move = () => {
    moving.again(of)
    focusCard(of.move.card.id)
  }
  switch (of.why) {
    case 'active':
      return <OverRuns of={of} onMove={move} onClose={leave} />
    case 'moved':
      return <MovedByOthers of={of} onMove={move} onClose={leave} />
    case 'unanswered':
      return (
        <Notice
          tone="caution"
          actions={
            <>
              <Button look="first" onClick={move}>
                Send again
              </Button>
              <Button onClick={leave}>Leave it</Button>
            </>
          }
        >
          <Text>{unansweredWords(of)}</Text>
        </Notice>
      )
    case 'refused':
      return (
        <div>
          <p>
            {of.move.card.displayId} is back in <Text>{of.move.from.label}</Text>.{' '}
            <Button onClick={leave}>Close</Button>
          </p>
          <Problem error={of.error} />
        </div>
      )
  }
}

const lastMove = defineRead({
  operation: 'listMissionEvents',
  touchedBy: ({ entity, entityId, operation }, { id }) =>
    entity === 'mission' && entityId === id && operation === 'status',
})

function MovedByOthers({
  of: { move, current },
  onMove,
  onClose,
}: {
  of: Of<'moved'>
  onMove: () => void
  onClose: () => void
}) {
  const { data } = useRead(lastMove, { id: move.card.id, types: 'status_change', limit: 1 })
  const event = data?.events[0]
  const who = event?.actor.name ?? 'Somebody else'
  const said = `${who} has moved ${move.card.displayId} to ${current.status.label}`
  useEffect(() => {
    if (data) announceRefusal(said)
  }, [data, said])
  return (
    <Notice
      tone="caution"
      actions={
        <>
          <Button onClick={onMove}>
            Move it to <Text>{move.to.label}</Text>
          </Button>
          <Button onClick={onClose}>Leave it there</Button>
        </>
      }
    >
      <Text>{said}</Text>
      {event && (
        <>
          {' '}
          (<Ago at={event.createdAt} />)
        </>
      )}
      , so it was not moved to <Text>{move.to.label}</Text>.
    </Notice>
  )
}

/** A mission is closed over what is queued or runs in it only by who says so. */
function OverRuns({
  of: { move, objectives },
  onMove,
  onClose,
}: {
  of: Of<'active'>
  onMove: () => void
  onClose: () => void
}) {
  const runs = objectives.length === 1 ? '1 run' : `${objectives.length} runs`
  return (
    <Dialog title={`Move ${move.card.displayId} to ${visible(move.to.label)}`} onClose={onClose}>
      <p>
        {runs} of it {objectives.length === 1 ? 'is' : 'are'} under way, and would be called off:
      </p>
      <ul className={styles['rows']}>
        {objectives.map(({ objectiveId, displayId }) => (
          <li key={objectiveId}>
            <code>{displayId}</code>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Leave it where it is</Button>
        <Button look="danger" onClick={onMove}>
          Cancel {runs} and move
        </Button>
      </DialogActions>
    </Dialog>
  )
}
