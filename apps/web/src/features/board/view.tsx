import { type ReactNode, Suspense, lazy, useEffect, useRef } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { nameTab } from '../../shell/tab-mark.tsx'
import { loadPart } from '../../ui/load-part.ts'
import { TypedMeanwhile } from '../../ui/typed-meanwhile.tsx'
import { useWide } from '../../ui/use-wide.ts'
import type { Board } from './board.ts'
import styles from './board.module.css'
import { Column } from './column.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, isFiltered } from './filters.ts'
import { Head } from './head.tsx'
import { Hindrances } from './hindrances.tsx'
import { PhoneColumns } from './phone-columns.tsx'
import { SceneContext } from './scene.ts'
import { useBoardKeys } from './use-board-keys.ts'
import { useCut } from './use-cut.ts'
import { useDragging } from './use-dragging.ts'
import { useBoardScene } from './use-scene.ts'

// nobody waits for them to see the board
const Dialogs = lazy(async () => ({
  default: (await loadPart(() => import('./dialogs.tsx'))).Dialogs,
}))

interface ViewProps {
  known: Board
  filters: Filters
  /** What is shown is the answer to this. */
  asked: string
  /** What these filters let pass is not known yet: this is what others did. */
  isReading: boolean
  /** Why these filters could not be read. */
  problem: ReactNode
  more: (statusId: string) => void
}

export function BoardView({ known, filters, asked, isReading, problem, more }: ViewProps) {
  const { scene, opened } = useBoardScene({
    known,
    asked,
    isFiltered: isFiltered(filters),
    more,
  })
  const { board } = scene
  const isEmpty = board.columns.every(({ count }) => count === 0)
  const isWide = useWide()
  const dragging = useDragging()
  const onKeyDown = useBoardKeys(scene, opened !== undefined)
  useEffect(() => {
    nameTab(board.project.name)
  }, [board.project.name])
  return (
    <SceneContext value={scene}>
      <Head />
      <FilterBar filters={filters} />
      {problem}
      {isEmpty && !scene.isFiltered && <FirstMission />}
      <Hindrances of={scene.moving} />
      <div className={styles['board']} aria-busy={isReading} onKeyDown={onKeyDown}>
        {isWide ? (
          <ColumnsInARow isEmpty={isEmpty}>
            {board.columns.map((column) => (
              <Column key={column.status.id} column={column} dragging={dragging} />
            ))}
          </ColumnsInARow>
        ) : (
          <PhoneColumns dragging={dragging} />
        )}
      </div>
      {opened && (
        <Suspense fallback={<TypedMeanwhile onGiveUp={() => scene.open(undefined)} />}>
          <Dialogs opened={opened} />
        </Suspense>
      )}
    </SceneContext>
  )
}

/** Scrolls sideways where they are many; by keys as well, where no card takes the focus along. */
function ColumnsInARow({ isEmpty, children }: { isEmpty: boolean; children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null)
  const cut = useCut(row)
  return (
    <div
      ref={row}
      className={styles['columns']}
      data-cut={cut}
      role="group"
      aria-label="Columns"
      tabIndex={isEmpty ? 0 : undefined}
    >
      {children}
    </div>
  )
}

function FirstMission() {
  const { rights } = useWorkspace()
  return (
    <p>
      {rights.mayCall('createMission')
        ? 'There is no mission yet. A mission is something to be reached, in one or more objectives that agents work on: make the first one.'
        : 'There is no mission yet. A member of this workspace makes the first one.'}
    </p>
  )
}
