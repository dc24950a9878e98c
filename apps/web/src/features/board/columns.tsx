import { StatusList } from '../../parts/statuses/status-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useScene } from './scene.ts'

/** The columns of the project: their names, their order, and which there are. */
export function Columns({ onClose }: { onClose: () => void }) {
  const { project } = useScene().board
  return (
    <Dialog title="Columns" onClose={onClose} isSheet>
      <StatusList projectId={project.id} />
    </Dialog>
  )
}
