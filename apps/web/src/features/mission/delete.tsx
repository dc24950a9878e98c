import type { Objective } from '@svc/contracts/objective'
import { useLocation } from 'wouter'
import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { DeleteListed, sayDeleted } from '../../parts/delete/delete-listed.tsx'
import { pathTo } from '../../shell/routes.ts'
import { useScene } from './scene.ts'
import { projectOf } from './wanted.ts'

export function DeleteObjective({
  objective,
  onClose,
}: {
  objective: Objective
  onClose: () => void
}) {
  const { service } = useWorkspace()
  const { keep } = useScene()
  const those = { objectiveIds: [objective.id] }
  const remove = useAction('deleteObjectives', {
    onDone: (answer) => {
      sayDeleted(answer)
      onClose()
      keep((shown) => ({
        ...shown,
        objectives: shown.objectives.filter(({ id }) => id !== objective.id),
      }))
    },
  })
  return (
    <DeleteListed
      title={`Delete ${objective.displayId}`}
      list={() => service.call('deleteObjectives', those)}
      action={remove}
      onConfirm={(confirmation) => void remove.send({ ...those, ...confirmation })}
      onClose={onClose}
    />
  )
}

export function DeleteMission({ onClose }: { onClose: () => void }) {
  const { service } = useWorkspace()
  const { mission } = useScene().shown
  const [, go] = useLocation()
  const project = projectOf(mission.displayId)
  const those = { missionIds: [mission.id] }
  const remove = useAction('deleteMissions', {
    onDone: (answer) => {
      sayDeleted(answer)
      onClose()
      go(pathTo('board', { project }))
    },
  })
  return (
    <DeleteListed
      title={`Delete ${mission.displayId}`}
      list={() => service.call('deleteMissions', those)}
      action={remove}
      onConfirm={(confirmation) => void remove.send({ ...those, ...confirmation })}
      onClose={onClose}
    />
  )
}
