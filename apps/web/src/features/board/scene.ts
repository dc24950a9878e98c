import { createContext, useContext } from 'react'
import type { Board, Change } from './board.ts'
import type { Moving } from './use-move.ts'

/** What of the page is open on top of it. */
export type Opened =
  | { what: 'create' }
  | { what: 'columns' }
  | { what: 'deleted' }
  | { what: 'move'; mission: string }
  | { what: 'edit'; mission: string }
  | { what: 'launch'; mission: string }
  | { what: 'delete'; mission: string }
  | undefined

/** What all parts of the board share. */
export interface Scene {
  readonly board: Board
  readonly isFiltered: boolean
  /** Puts what an answer holds into what is shown, before the feed tells of it. */
  keep: (change: Change) => void
  /** Shows what certainly comes of a call while it is under way; a refusal takes it back. */
  foresee: (change: Change, call: () => Promise<void>) => void
  /** Shows at once what the service has said that one has done. */
  settle: (change: Change) => void
  readonly moving: Moving
  open: (what: Opened) => void
  /** The card that keys are about, and that the Tab key leads to. */
  readonly current: string | undefined
  /** Moves the focus to a card, as soon as it is drawn. */
  focusCard: (missionId: string) => void
  /** The focus has come to a card by itself, or has left it. */
  enterCard: (missionId: string) => void
  leaveCard: () => void
  /** The focus is on that card, and goes with it wherever it is drawn. */
  isFollowed: (missionId: string) => boolean
  /** Changes with whatever one does oneself to what is shown, which no column holds back. */
  readonly ownDoing: string
  /** Reads the next page of a column. */
  more: (statusId: string) => void
}

export const SceneContext = createContext<Scene | undefined>(undefined)

export function useScene(): Scene {
  const scene = useContext(SceneContext)
  if (scene === undefined) throw new Error('A part of a board is shown outside of its page.')
  return scene
}
