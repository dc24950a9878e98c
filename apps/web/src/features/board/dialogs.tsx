import type { Mission } from '@svc/contracts/mission'
import { useState } from 'react'
import { isNotHere } from '../../data/not-here.ts'
import { useRead } from '../../data/reads.ts'
import { DeletedMissions } from '../../parts/delete/deleted-missions.tsx'
import { Gone } from '../../ui/dialog.tsx'
import { type Place, placeOf } from './board.ts'
import { Columns } from './columns.tsx'
import { CreateMission } from './create-mission.tsx'
import { DeleteCard } from './delete-card.tsx'
import { EditCard } from './edit-card.tsx'
import { LaunchNext } from './launch-next.tsx'
import { MoveTo } from './move-to.tsx'
import { mission as one } from './reads.ts'
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
  return <OfCard key={opened.mission} opened={opened} onClose={close} />
}

interface OfCardProps {
  opened: Extract<Opened, { mission: string }>
  onClose: () => void
}

/** Also of one that others have taken out of what is shown, as by a change that its filter does not let pass: what is written stays. */
function OfCard({ opened: { what, mission }, onClose }: OfCardProps) {
  const { board } = useScene()
  const found = placeOf(board, mission)
  const [last, keep] = useState(found)
  if (found && !isSame(found, last)) keep(found)
  const read = useRead(one, { id: mission }, { enabled: found === undefined })
  // somebody else has just deleted it
  if (last === undefined || (found === undefined && isNotHere(read.error))) {
    return <Gone onClose={onClose} />
  }
  const { card, status } = found ? standing(found) : standing(last, read.data?.mission)
  if (what === 'move') return <MoveTo card={card} from={status} onClose={onClose} />
  if (what === 'edit') return <EditCard card={card} onClose={onClose} />
  if (what === 'launch') return <LaunchNext card={card} onClose={onClose} />
  return <DeleteCard card={card} onClose={onClose} />
}

function isSame({ card, column }: Place, other: Place | undefined): boolean {
  return card.revision === other?.card.revision && column.status.id === other.column.status.id
}

/** What is not shown any more is as the mission says. */
function standing({ card, column }: Place, mission?: Mission) {
  if (mission === undefined || mission.revision < card.revision) {
    return { card, status: column.status }
  }
  const { title, priority, revision, status } = mission
  return { card: { ...card, title, priority, revision }, status }
}
