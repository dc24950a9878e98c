import { useWorkspace } from '../../data/use-workspace.ts'
import { DeleteListed } from '../../parts/delete/delete-listed.tsx'
import { DeletedMissions } from '../../parts/delete/deleted-missions.tsx'

interface DialogsProps {
  /** Missions by their UUIDs or display ids; undefined where what was deleted is looked at. */
  toDelete: readonly string[] | undefined
  toRestore: string | undefined
  onClose: () => void
}

export function Dialogs({ toDelete, toRestore, onClose }: DialogsProps) {
  const { rights, service } = useWorkspace()
  if (toDelete === undefined) return <DeletedMissions asked={toRestore} onClose={onClose} />
  if (toDelete.length === 0 || !rights.mayCall('deleteMissions')) return null
  return (
    <DeleteListed
      title={toDelete.length === 1 ? 'Delete the mission' : 'Delete the missions'}
      onClose={onClose}
      call={(confirmation) =>
        service.call('deleteMissions', { missionIds: [...toDelete], ...confirmation })
      }
      onDeleted={() => undefined}
    />
  )
}
