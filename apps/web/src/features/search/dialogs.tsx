import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { DeleteListed, sayDeleted } from '../../parts/delete/delete-listed.tsx'
import { DeletedMissions } from '../../parts/delete/deleted-missions.tsx'

interface DialogsProps {
  /** Missions by their UUIDs or display ids; undefined where what was deleted is looked at. */
  toDelete: readonly string[] | undefined
  toRestore: string | undefined
  onClose: () => void
}

export function Dialogs({ toDelete, toRestore, onClose }: DialogsProps) {
  const { rights } = useWorkspace()
  if (toDelete === undefined) return <DeletedMissions asked={toRestore} onClose={onClose} />
  if (toDelete.length === 0 || !rights.mayCall('deleteMissions')) return null
  return <Delete missionIds={toDelete} onClose={onClose} />
}

function Delete({ missionIds, onClose }: { missionIds: readonly string[]; onClose: () => void }) {
  const { service } = useWorkspace()
  const those = { missionIds: [...missionIds] }
  const remove = useAction('deleteMissions', {
    onDone: (answer) => {
      sayDeleted(answer)
      onClose()
    },
  })
  return (
    <DeleteListed
      title={missionIds.length === 1 ? 'Delete the mission' : 'Delete the missions'}
      list={() => service.call('deleteMissions', those)}
      action={remove}
      onConfirm={(confirmation) => void remove.send({ ...those, ...confirmation })}
      onClose={onClose}
    />
  )
}
