import type { Objective } from '@svc/contracts/objective'
import { useLocation } from 'wouter'
import { useWorkspace } from '../../data/use-workspace.ts'
import { DeleteListed } from '../../parts/delete/delete-listed.tsx'
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
  return (
    <DeleteListed
      title={`Delete ${objective.displayId}`}
      onClose={onClose}
      call={(confirmation) =>
        service.call('deleteObjectives', { objectiveIds: [objective.id], ...confirmation })
      }
      onDeleted={() =>
        keep((shown) => ({
          ...shown,
          objectives: shown.objectives.filter(({ id }) => id !== objective.id),
        }))
      }
    />
  )
}

export function DeleteMission({ onClose }: { onClose: () => void }) {
  const { service } = useWorkspace()
  const { mission } = useScene().shown
  const [, go] = useLocation()
  const project = projectOf(mission.displayId)
  return (
    <DeleteListed
      title={`Delete ${mission.displayId}`}
      onClose={onClose}
      call={(confirmation) =>
        service.call('deleteMissions', { missionIds: [mission.id], ...confirmation })
      }
      onDeleted={() => go(pathTo('board', { project }))}
    />
  )
}
