import type { BoardCard } from '@svc/contracts/board'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useRead } from '../../data/reads.ts'
import { statuses } from '../../parts/statuses/reads.ts'
import { Shown } from '../../shell/shown.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { phaseWords } from '../../words/states.ts'
import { placeOf } from './board.ts'
import styles from './dialogs.module.css'
import { useScene } from './scene.ts'

/** The columns of the project, also those that a filter leaves out, as places to move a card to. */
export function MoveTo({ card, onClose }: { card: BoardCard; onClose: () => void }) {
  const { board } = useScene()
  const read = useRead(statuses, { id: board.project.id })
  return (
    <Dialog title={`Move ${card.displayId} to`} onClose={onClose}>
      <Shown of={read}>
        {({ statuses: all }) => <Choices card={card} all={all} onClose={onClose} />}
      </Shown>
    </Dialog>
  )
}

interface ChoicesProps {
  card: BoardCard
  all: readonly Parameters<ReturnType<typeof useScene>['moving']['move']>[1][]
  onClose: () => void
}

function Choices({ card, all, onClose }: ChoicesProps) {
  const { board, moving } = useScene()
  const list = useRef<HTMLUListElement>(null)
  const now = placeOf(board, card.id)?.column.status.id
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
            disabled={id === now}
            onClick={() => {
              onClose()
              moving.move(card.id, { id, type, label })
            }}
          >
            <Badge of={{ ...phaseWords[type], word: label }} />
            {id === now && ' (it is here)'}
          </Button>
        </li>
      ))}
    </ul>
  )
}
