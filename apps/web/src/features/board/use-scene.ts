import { startTransition, useOptimistic, useRef, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { Board, Change } from './board.ts'
import type { Opened, Scene } from './scene.ts'
import { useMove } from './use-move.ts'
import { useOthers } from './use-others.ts'

interface SceneParts extends Pick<Scene, 'isFiltered' | 'more'> {
  known: Board
  /** What it is the answer to. */
  asked: string
}

/** The board as it is shown, with what is certain to come, and where the focus is on it. */
export function useBoardScene({ known, asked, isFiltered, more }: SceneParts): {
  scene: Scene
  opened: Opened
} {
  const { queries } = useWorkspace()
  const [{ board, foreseen }, show] = useOptimistic(
    { board: known, foreseen: 0 },
    (now, change: Change) => ({ board: change(now.board), foreseen: now.foreseen + 1 }),
  )
  const [opened, setOpened] = useState<Opened>()
  const [current, setCurrent] = useState<string>()
  const [own] = useState(() => new Set<string>())
  // a card that goes to another column is another element there: nobody has left it
  const followed = useRef<string>(undefined)

  const keep = (change: Change) => {
    const of = { queryKey: ['getBoard'] }
    queries.setQueriesData<Board>(of, (now) => now && change(now))
    // what follows from it, such as the badge of a card, no answer holds; and its revision is no news from now on
    void queries.invalidateQueries(of)
  }
  const foresee = (change: Change, call: () => Promise<void>) => {
    startTransition(async () => {
      show(change)
      await call()
      // what was kept of the answer is drawn before what was foreseen is taken away
      await new Promise((resolve) => setTimeout(resolve))
    })
  }
  const enterCard = (missionId: string) => {
    followed.current = missionId
    setCurrent(missionId)
  }
  const focusCard = (missionId: string) => {
    enterCard(missionId)
    linkOf(missionId)?.focus()
  }
  const open = (what: Opened) => {
    setOpened(what)
    if (what === undefined && opened && 'mission' in opened) focusCard(opened.mission)
  }
  useOthers(known, own)
  const moving = useMove({ board, keep, foresee, own })
  return {
    opened,
    scene: {
      board,
      isFiltered,
      keep,
      foresee,
      settle: (change) => foresee(change, () => Promise.resolve(keep(change))),
      moving,
      open,
      current,
      focusCard,
      enterCard,
      leaveCard: () => (followed.current = undefined),
      isFollowed: (missionId) => followed.current === missionId,
      ownDoing: `${foreseen} ${asked}`,
      more,
    },
  }
}

function linkOf(missionId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-card="${missionId}"] a`)
}
