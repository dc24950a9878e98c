import { newKey } from '@svc/client/new-key'
import type { Mission, MissionStatus } from '@svc/contracts/mission'
import { useState } from 'react'
import { patience } from '../../data/connection.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { announce, announceRefusal } from '../../ui/announce.ts'
import { toast } from '../../ui/toast-store.ts'
import { type Board, type Change, placeOf, withMoved } from './board.ts'
import { type Hindrance, type Move, judge, nextTry, unansweredWords } from './moves.ts'

interface MoveParts {
  board: Board
  keep: (change: Change) => void
  foresee: (change: Change, call: () => Promise<void>) => void
  /** Until it is answered, what the feed tells of it is no news. */
  own: Set<string>
}

export interface Moving {
  /** `known`: of a card that is not shown any more. */
  move: (missionId: string, to: MissionStatus, known?: Pick<Move, 'card' | 'from'>) => void
  /** What keeps cards from being moved: of each the last try. */
  hindrances: readonly Hindrance[]
  again: (hindrance: Hindrance) => void
  dismiss: (hindrance: Hindrance) => void
}

/** So many events of a mission may come between a move and its answer. */
const mostResends = 3

/** Moves cards: shown at once, and taken back by a refusal, which says why. */
export function useMove({ board, keep, foresee, own }: MoveParts): Moving {
  const { service } = useWorkspace()
  const [hindrances, setHindrances] = useState<readonly Hindrance[]>([])
  const dismiss = ({ move }: Hindrance) =>
    setHindrances((all) => all.filter((one) => one.move.card.id !== move.card.id))

  const taken = ({ card }: Move, mission: Mission) => {
    const { title, priority, updatedAt, revision, status } = mission
    keep(withMoved({ ...card, title, priority, updatedAt, revision }, status.id))
    announce(`${card.displayId} moved to ${status.label}`)
    if (status.type === 'complete') void sayUndone(card)
  }
  // a card knows how many there are, and not which
  const sayUndone = async ({ id, displayId, progress }: Move['card']) => {
    if (progress.complete === progress.total) return
    const request = { id, instructionCharacters: 200 }
    // a file for itself, which a board without a closed mission is there without
    const words = import('../../words/undone.ts')
    const read = service.call('getMission', request)
    const told = await Promise.all([read, words]).catch(() => undefined)
    if (told === undefined) return
    const [{ objectives }, { undoneWords }] = told
    const undone = undoneWords(objectives)
    if (undone !== undefined) toast(`${displayId} is closed. ${undone}`)
  }
  const hinder = (hindrance: Hindrance) => {
    dismiss(hindrance)
    setHindrances((all) => [...all, hindrance])
    if (hindrance.why === 'moved') {
      const { status, revision } = hindrance.current
      keep(withMoved({ ...hindrance.move.card, revision }, status.id))
    }
    if (hindrance.why === 'refused') announceRefusal(hindrance.error.message)
    if (hindrance.why === 'unanswered') announceRefusal(unansweredWords(hindrance))
  }
  const send = async (move: Move, left = mostResends): Promise<void> => {
    const { card, to, cancelRunning, key } = move
    const options = { idempotencyKey: key, retry: patience }
    const request = {
      id: card.id,
      statusId: to.id,
      expectedRevision: card.revision,
      ...(cancelRunning && { cancelRunning }),
    }
    try {
      taken(move, (await service.call('moveMission', request, options)).mission)
    } catch (error) {
      const judged = judge(move, error)
      if (judged.why === 'done') taken(move, judged.mission)
      else if (judged.why !== 'resend') hinder(judged)
      else if (left > 0) await send(judged.move, left - 1)
      else hinder({ why: 'unanswered', move: judged.move })
    }
  }
  const begin = (move: Move) => {
    own.add(move.card.id)
    foresee(withMoved(move.card, move.to.id), async () => {
      await send(move)
      own.delete(move.card.id)
    })
  }
  return {
    hindrances,
    dismiss,
    move: (missionId, to, known) => {
      const place = placeOf(board, missionId)
      const of = place ? { card: place.card, from: place.column.status } : known
      if (of === undefined || of.from.id === to.id) return
      const move = { ...of, to, key: newKey() }
      dismiss({ why: 'unanswered', move })
      begin(move)
    },
    again: (hindrance) => {
      dismiss(hindrance)
      begin(nextTry(hindrance))
    },
  }
}
