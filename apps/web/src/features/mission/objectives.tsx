import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { isNotStarted } from '../../data/states.ts'
import { inOrder } from '../../parts/order/order.ts'
import { useOrder } from '../../parts/order/use-order.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { announce } from '../../ui/announce.ts'
import { AddObjective } from './add-objective.tsx'
import { ObjectiveRow } from './objective-row.tsx'
import styles from './objectives.module.css'
import { useScene, withObjectives } from './scene.ts'

/** The objectives of the mission in their order; what has not started is ordered by dragging, by keys and by buttons. */
export function Objectives() {
  const { shown, keep, foresee } = useScene()
  const { mission, objectives } = shown
  const { rights } = useWorkspace()
  const reorder = useAction('reorderFutureObjectives', {
    onDone: (answer) => keep(withObjectives(answer.mission, answer.objectives)),
  })
  const future = objectives.filter(({ state }) => isNotStarted(state)).map(({ id }) => id)
  const movable = rights.mayCall('reorderFutureObjectives') && future.length > 1 ? future : []
  const { list, step } = useOrder({
    rows: objectives.map(({ id }) => id),
    movable,
    onOrder: (ids, moved) => {
      announce(`Place ${ids.indexOf(moved) + 1} of ${ids.length} that have not started`)
      foresee(withObjectives(mission, inOrder(objectives, ids)), () =>
        reorder.send({ id: mission.id, objectiveIds: [...ids] }),
      )
    },
  })
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
              {...(movable.includes(objective.id) && {
                onStep: (by: 1 | -1) => step(objective.id, by),
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
