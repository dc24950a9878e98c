import { RefusedError } from '@svc/client/errors'
import { newKey } from '@svc/client/new-key'
import type { BoardCard } from '@svc/contracts/board'
import type { Mission, MissionStatus } from '@svc/contracts/mission'
import { isUnanswered, saidBy } from '../../data/unanswered.ts'

/** A card on its way to another column. */
export interface Move {
  card: BoardCard
  from: MissionStatus
  to: MissionStatus
  /** What runs in it is called off, where the column closes it. */
  cancelRunning?: true
  /** Under which it is sent, so that it is done once however often that is. */
  key: string
}

/** An objective that is queued or runs, and keeps its mission open. */
export interface ActiveObjective {
  objectiveId: string
  displayId: string
}

/** Why a move was not made, and what a person can do about it. */
export type Hindrance =
  | { why: 'active'; move: Move; objectives: readonly ActiveObjective[] }
  /** Somebody else has moved it meanwhile. */
  | { why: 'moved'; move: Move; current: Mission }
  /** `said`: what the service gave as its reason, where it gave any. */
  | { why: 'unanswered'; move: Move; said?: string | undefined }
  | { why: 'refused'; move: Move; error: Error }

/** What a move that was not made comes to, of which nobody has to be told. */
type Settled =
  /** Any event of a mission raises its revision: it goes out again with the new one, for it is still what was meant. */
  | { why: 'resend'; move: Move }
  /** Somebody else has just made the same one. */
  | { why: 'done'; mission: Mission }

export function judge(move: Move, error: unknown): Hindrance | Settled {
  if (isUnanswered(error)) return { why: 'unanswered', move, said: saidBy(error)?.message }
  if (!(error instanceof RefusedError)) {
    return {
      why: 'refused',
      move,
      error: error instanceof Error ? error : new Error(String(error)),
    }
  }
  // the details of these refusals are described with the calls, and have no types of their own
  const { objectives = [], current } = (error.details ?? {}) as {
    objectives?: ActiveObjective[]
    current?: { mission?: Mission }
  }
  if (error.code === 'mission_active') return { why: 'active', move, objectives }
  const mission = error.code === 'revision_mismatch' ? current?.mission : undefined
  if (mission === undefined) return { why: 'refused', move, error }
  if (mission.status.id === move.to.id) return { why: 'done', mission }
  return mission.status.id === move.from.id
    ? { why: 'resend', move: onto(move, mission) }
    : { why: 'moved', move, current: mission }
}

/** The next try, once a person has said that the move is to be made all the same. */
export function nextTry(hindrance: Hindrance): Move {
  const { move } = hindrance
  switch (hindrance.why) {
    case 'active':
      return { ...move, cancelRunning: true, key: newKey() }
    case 'moved':
      return onto(move, hindrance.current)
    // it may have been made: as it was and under its key it is made once
    case 'unanswered':
      return move
    case 'refused':
      return { ...move, key: newKey() }
  }
}

/** The same move of the mission as it stands now, which is another request. */
function onto(move: Move, { status, revision }: Mission): Move {
  return { ...move, from: status, card: { ...move.card, revision }, key: newKey() }
}

/** What is known of a move that got no answer. */
export function unansweredWords({
  move: { card, to },
  said = `The service did not say whether ${card.displayId} was moved to ${to.label}.`,
}: Extract<Hindrance, { why: 'unanswered' }>): string {
  return `${said} Sent again, it is done once.`
}
