import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { isNotStarted } from '../../data/states.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { announce } from '../../ui/announce.ts'
import { AddObjective } from './add-objective.tsx'
import type { Sorting } from './drag.ts'
import { ObjectiveRow } from './objective-row.tsx'
import styles from './objectives.module.css'
import { inOrder, isSameOrder, placed, stepped } from './order.ts'
import { useScene, withObjectives } from './scene.ts'

/** The objectives of the mission in their order; what has not started is ordered by dragging, by keys and by buttons. */
export function Objectives() {
  const { shown, keep, foresee } = useScene()
  const { mission, objectives } = shown
  const { rights } = useWorkspace()
  const reorder = useAction('reorderFutureObjectives', {
    onDone: (answer) => keep(withObjectives(answer.mission, answer.objectives)),
  })
  const list = useRef<HTMLOListElement>(null)
  const restoreFocus = useRef<string | undefined>(undefined)
  const future = objectives.filter(({ state }) => isNotStarted(state)).map(({ id }) => id)
  const mayReorder = rights.mayCall('reorderFutureObjectives') && future.length > 1

  const order = (ids: readonly string[], id: string) => {
    if (isSameOrder(ids, future)) return
    restoreFocus.current = document.activeElement?.closest('[data-objective]') ? id : undefined
    announce(`Place ${ids.indexOf(id) + 1} of ${ids.length} that have not started`)
    foresee(withObjectives(mission, inOrder(objectives, ids)), () =>
      reorder.send({ id: mission.id, objectiveIds: [...ids] }),
    )
  }
  const names = objectives.map(({ id }) => id).join()
  useLayoutEffect(() => {
    const id = restoreFocus.current
    restoreFocus.current = undefined
    // a row that moves loses the focus
    if (id === undefined || list.current?.contains(document.activeElement)) return
    list.current?.querySelector<HTMLElement>(`[data-objective="${id}"] button`)?.focus()
  }, [names])

  const dropped = useRef(order)
  useEffect(() => {
    dropped.current = order
  })
  const sorting = useSorting(mayReorder)
  useEffect(
    () =>
      list.current && sorting
        ? sorting(list.current, future, (id, edge, target) =>
            dropped.current(placed(future, id, edge, target), id),
          )
        : undefined,
    // the rows are those of the drawing
    // oxlint-disable-next-line react/exhaustive-deps
    [sorting, future.join()],
  )
  return (
    <section className={styles['objectives']} aria-label="Objectives">
      <h2 className={styles['heading']}>Objectives</h2>
      {objectives.length > 0 && (
        <ol ref={list} className={styles['list']}>
          {objectives.map((objective, index) => (
            <ObjectiveRow
              key={objective.id}
              objective={objective}
              number={index + 1}
              {...(mayReorder &&
                future.includes(objective.id) && {
                  onStep: (step: 1 | -1) =>
                    order(stepped(future, objective.id, step), objective.id),
                })}
            />
          ))}
        </ol>
      )}
      <ActionProblem of={reorder} />
      {rights.mayCall('addObjectives') && <AddObjective />}
    </section>
  )
}

/** Dragging is loaded when there is something to drag. */
function useSorting(isWanted: boolean): Sorting | undefined {
  const [sorting, setSorting] = useState<Sorting>()
  useEffect(() => {
    if (!isWanted) return
    void import('./drag.ts').then(
      ({ makeSortable }) => setSorting(() => makeSortable),
      // keys and buttons do the same
      () => undefined,
    )
  }, [isWanted])
  return isWanted ? sorting : undefined
}
