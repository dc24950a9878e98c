import type { BoardCard } from '@svc/contracts/board'
import type { MissionStatus } from '@svc/contracts/mission'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useRead } from '../../data/reads.ts'
import { statuses } from '../../parts/statuses/reads.ts'
import { Shown } from '../../shell/shown.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { phaseWords } from '../../words/states.ts'
import styles from './dialogs.module.css'
import { useScene } from './scene.ts'

interface MoveToProps {
  card: BoardCard
  /** Where it is. */
  from: MissionStatus
  onClose: () => void
}

/** The columns of the project, also those that a filter leaves out, as places to move a card to. */
export function MoveTo({ card, from, onClose }: MoveToProps) {
  const { board } = useScene()
  const read = useRead(statuses, { id: board.project.id })
  return (
    <Dialog title={`Move ${card.displayId} to`} onClose={onClose}>
      <Shown of={read}>
        {({ statuses: all }) => <Choices card={card} from={from} all={all} onClose={onClose} />}
      </Shown>
    </Dialog>
  )
}

interface ChoicesProps extends MoveToProps {
  all: readonly MissionStatus[]
}

function Choices({ card, from, all, onClose }: ChoicesProps) {
  const { moving } = useScene()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.querySelector<HTMLElement>('button:enabled')?.focus(), [])
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const choices = [...(list.current?.querySelectorAll<HTMLElement>('button:enabled') ?? [])]
    const at = choices.findIndex((one) => one === document.activeElement)
    if (step === undefined || at === -1) return
    event.preventDefault()
    choices[(at + step + choices.length) % choices.length]?.focus()
  }
  return (
    <ul ref={list} className={styles['choices']} onKeyDown={walk}>
      {all.map(({ id, type, label }) => (
        <li key={id}>
          <Button
            disabled={id === from.id}
            onClick={() => {
              onClose()
              moving.move(card.id, { id, type, label }, { card, from })
            }}
          >
            <Badge of={{ ...phaseWords[type], word: label }} />
            {id === from.id && ' (it is here)'}
          </Button>
        </li>
      ))}
    </ul>
  )
}
