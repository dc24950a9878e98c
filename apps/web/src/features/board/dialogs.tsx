import { DeletedMissions } from '../../parts/delete/deleted-missions.tsx'
import { Gone } from '../../ui/dialog.tsx'
import { placeOf } from './board.ts'
import { Columns } from './columns.tsx'
import { CreateMission } from './create-mission.tsx'
import { DeleteCard } from './delete-card.tsx'
import { EditCard } from './edit-card.tsx'
import { LaunchNext } from './launch-next.tsx'
import { MoveTo } from './move-to.tsx'
import { type Opened, useScene } from './scene.ts'

/** What is open over the board. */
export function Dialogs({ opened }: { opened: NonNullable<Opened> }) {
  const { board, open } = useScene()
  const close = () => open(undefined)
  if (opened.what === 'create') return <CreateMission onClose={close} />
  if (opened.what === 'columns') return <Columns onClose={close} />
  if (opened.what === 'deleted') {
    return <DeletedMissions projectId={board.project.id} onClose={close} />
  }
  const card = placeOf(board, opened.mission)?.card
  // somebody else has just deleted it
  if (card === undefined) return <Gone onClose={close} />
  if (opened.what === 'move') return <MoveTo card={card} onClose={close} />
  if (opened.what === 'edit') return <EditCard card={card} onClose={close} />
  if (opened.what === 'launch') return <LaunchNext card={card} onClose={close} />
  return <DeleteCard card={card} onClose={close} />
}
